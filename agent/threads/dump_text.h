// SPDX-License-Identifier: Apache-2.0
// A ThreadDump as text, in the layout of HotSpot's own dumps (jstack, Thread.print), so that what reads those reads it:
// a head, the threads (thread_text.h), and the deadlocks. Needs no JVM.
#pragma once

#include <functional>
#include <string>

#include "agent/threads/frame_lines.h"
#include "agent/threads/thread_dump.h"

namespace rec::agent {

std::string dump_text(const ThreadDump& dump);

// The same in pieces of about max_bytes (no thread is cut), each with the head of a dump; at least one. Each is made in
// `piece` and given to `take`; false of that is the end. The lines have begun with the dump.
void dump_in_pieces(const ThreadDump& dump, FrameLines& lines, size_t max_bytes, MarkedText& piece,
                    const std::function<bool(const MarkedText&)>& take);

}  // namespace rec::agent
