// SPDX-License-Identifier: Apache-2.0
// A ThreadDump as one JSON object: docs/threads.md lists the members. What is not known is null, or is not there. Needs
// no JVM.
#pragma once

#include <string>

#include "agent/threads/thread_dump.h"

namespace rec::agent {

std::string dump_json(const ThreadDump& dump);

}  // namespace rec::agent
