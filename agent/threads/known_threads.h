// SPDX-License-Identifier: Apache-2.0
// KnownThreads is what dumps remember of each thread for the next one: when it started, which is read once, and its
// stack. A thread that has not run since stands where it stood, and its CPU clock shows that (task_clock_is_exact).
// What others may change meanwhile, as its name, its state, and what it waits for, is read anew each time.
//
// Threads come in the same order from dump to dump, but for those that start and end: each is looked for where the one
// before was found first. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "agent/hotspot/walk/outside_walk.h"
#include "agent/threads/thread_dump.h"

namespace rec::agent {

struct KnownThread {
  uint64_t java_thread = 0;
  int32_t os_id = 0;
  int64_t java_id = 0;
  bool is_new = true;       // the dump before did not have it
  int64_t started_ns = -1;  // since the machine's boot; -1: not read yet
  std::optional<int> nice;

  int64_t cpu_ns = -1;  // when it began to be looked at; -1: nothing of the following is known
  OutsideWalk::Place place;
  StackSource source = StackSource::kNone;
  const char* why = "";
  std::vector<ThreadFrame> stack;
  std::vector<MonitorSlot> monitors;
};

class KnownThreads {
 public:
  void begin(size_t most) { now_.reserve(most); }  // so many threads at most will be asked for
  // Nothing is known of it if another thread was there before. The reference holds until end().
  KnownThread& of(uint64_t java_thread, int32_t os_id, int64_t java_id);
  void end();  // forgets who was not asked for
  void forget();

 private:
  size_t find(uint64_t java_thread);  // in before_; its size: it is not there

  std::vector<KnownThread> before_, now_;       // of the dump before, and of this one
  size_t next_ = 0;                             // in before_: behind the one that was found last
  std::unordered_map<uint64_t, size_t> index_;  // of before_, by JavaThread*; empty until it is needed
};

}  // namespace rec::agent
