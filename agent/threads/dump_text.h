// SPDX-License-Identifier: Apache-2.0
// A ThreadDump as text, in the layout of HotSpot's own dumps (jstack, Thread.print), so that what reads those reads it:
// a head, the threads (thread_text.h), and the deadlocks. Needs no JVM.
#pragma once

#include <string>
#include <vector>

#include "agent/threads/thread_dump.h"

namespace rec::agent {

std::string dump_text(const ThreadDump& dump);

// The same in pieces of at most about max_bytes each (one thread is never cut), each with the head of a dump. At least
// one.
std::vector<std::string> dump_text_pieces(const ThreadDump& dump, size_t max_bytes);

}  // namespace rec::agent
