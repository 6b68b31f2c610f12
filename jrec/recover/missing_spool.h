// SPDX-License-Identifier: Apache-2.0
// What is said of a process id that no spool of ours has: that there is one of another user, or which there are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace jrec {

// Of a directory of spools that is not ours.
base::Error not_ours(const std::string& spools);

// dead: the directories of spools that could be recovered. In another namespace of pids a JVM has another one than
// the one that is known of it outside, so the pids in their names are told, with what else they are known by.
base::Error no_spool_of(uint32_t pid, const std::vector<std::string>& dead);

}  // namespace jrec
