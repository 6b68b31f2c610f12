// SPDX-License-Identifier: Apache-2.0
// LibraryWatch lists the libraries that came and went, and sees that our fault handler stands in front, in a quiet thread:
// for programs that walk in signal handlers and call nothing else (ASGST_OPEN_KEEP_UP). Ordinary threads.
#pragma once

#include "agent/hotspot/walk/native_modules.h"

namespace rec::agent::asgst {

// Once, for the life of the process, as long as `modules` live. False: the system has no thread for it.
bool start_library_watch(NativeModules& modules);

}  // namespace rec::agent::asgst
