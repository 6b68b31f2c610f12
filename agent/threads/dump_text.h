// SPDX-License-Identifier: Apache-2.0
// A ThreadDump as text, in the layout of HotSpot's own dumps (jstack, Thread.print), so that what reads those reads it:
// the same header line, Thread.State, `at`, `- waiting to lock`, `- parking to wait for`, deadlock section. What is
// ours stands on lines that begin with "   rec: " and "\t- native ". Needs no JVM.
#pragma once

#include <string>
#include <vector>

#include "agent/threads/thread_dump.h"

namespace rec::agent {

std::string dump_text(const ThreadDump& dump);

// The same in pieces of at most about max_bytes each (one thread is never cut), each with the head of a dump. At least
// one.
std::vector<std::string> dump_text_pieces(const ThreadDump& dump, size_t max_bytes);

const char* java_state_text(uint32_t jvmti_state);  // "TIMED_WAITING (parking)"

}  // namespace rec::agent
