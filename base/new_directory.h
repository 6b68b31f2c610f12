// SPDX-License-Identifier: Apache-2.0
// The folder that a user names for what is written, and that is not there yet.
#pragma once

#include <string>

#include "base/result.h"

namespace base {

// Makes the directory, and those above it that are missing: 0700 whatever the umask. What is there stays as it is. Any
// thread.
Status make_directories(const std::string& path);

}  // namespace base
