// SPDX-License-Identifier: Apache-2.0
// ThreadText writes the threads of one dump as text, in the layout of HotSpot's own dumps (javaVFrame::print_lock_info_on,
// src/hotspot/share/runtime/vframe.cpp): the header line, Thread.State, `at`, `- locked`, `- waiting to lock`. What is
// ours stands on lines that begin with "   rec: ", "\t- rec: " and "\t- native ". Threads share most of their frames, so
// the line of each is made once. Needs no JVM.
#pragma once

#include <string>
#include <vector>

#include "agent/threads/thread_dump.h"

namespace rec::agent {

class ThreadText {
 public:
  // The dump outlives it.
  explicit ThreadText(const ThreadDump& dump) : dump_(dump), lines_(dump.frames.size()) {}

  void add(const DumpedThread& thread, std::string& out);  // with the empty line behind it
  void add_stack(const DumpedThread& thread, std::string& out);

 private:
  void add_header(const DumpedThread& thread, std::string& out) const;
  void add_states(const DumpedThread& thread, std::string& out) const;
  bool is_in_wait(const DumpedThread& thread) const;
  void add_waiting(const DumpedThread& thread, std::string& out) const;
  void add_monitors(const DumpedThread& thread, uint32_t at, std::string& out) const;
  const std::string& line_of(uint32_t frame);

  const ThreadDump& dump_;
  std::vector<std::string> lines_;  // of the dump's frames; empty: not made yet
};

std::string quoted_name(const std::string& name);
const char* java_state_text(uint32_t jvmti_state);  // "TIMED_WAITING (parking)"

}  // namespace rec::agent
