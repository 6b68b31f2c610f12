// SPDX-License-Identifier: Apache-2.0
// ThreadText writes the threads of one dump as text, in the layout of HotSpot's own dumps (javaVFrame::print_lock_info_on,
// src/hotspot/share/runtime/vframe.cpp): the header line, Thread.State, `at`, `- locked`, `- waiting to lock`. What is
// ours stands on lines that begin with "   rec: ", "\t- rec: " and "\t- native ". Threads share most of their frames, so
// their lines are marks (frame_lines.h). Needs no JVM.
#pragma once

#include <string>

#include "agent/threads/frame_lines.h"
#include "agent/threads/thread_dump.h"

namespace rec::agent {

class ThreadText {
 public:
  // Both outlive it; the lines have begun with the dump.
  ThreadText(const ThreadDump& dump, FrameLines& lines) : dump_(dump), lines_(lines) {}

  void add(const DumpedThread& thread, MarkedText& out);  // with the empty line behind it
  void add_stack(const DumpedThread& thread, MarkedText& out);

 private:
  void add_header(const DumpedThread& thread, std::string& out) const;
  void add_states(const DumpedThread& thread, std::string& out) const;
  bool is_in_wait(const DumpedThread& thread) const;
  void add_waiting(const DumpedThread& thread, std::string& out) const;
  void add_monitors(const DumpedThread& thread, uint32_t at, std::string& out) const;

  const ThreadDump& dump_;
  FrameLines& lines_;
};

void add_quoted(const std::string& name, std::string& out);  // in one line
const char* java_state_text(uint32_t jvmti_state);           // "TIMED_WAITING (parking)"

}  // namespace rec::agent
