// SPDX-License-Identifier: Apache-2.0
// The length and the blocks of a spool's file. What is mapped and has no block would be a SIGBUS on a full disk, so blocks
// are taken before they are used. Where the system does not take the call that asks for them (fallocate: a filter of system
// calls, a file system that does not have it), zeros are written: what has no block yet is zeros, and nobody uses it.
//
// What fails leaves its reason in errno, and the errors say it. Recorder thread only.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace rec {

bool take_blocks(int fd, uint64_t offset, uint64_t bytes);

base::Error length_refused(const std::string& path);
base::Error blocks_refused(const std::string& path);

}  // namespace rec
