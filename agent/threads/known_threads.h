// SPDX-License-Identifier: Apache-2.0
// KnownThreads is what dumps remember of each thread for the next one: when it started, which is read once, and its
// stack. A thread that has not run since stands where it stood, and its CPU clock shows that (task_clock_is_exact).
// What others may change meanwhile, as its name, its state, and what it waits for, is read anew each time.
//
// One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "agent/hotspot/walk/outside_walk.h"
#include "agent/threads/thread_dump.h"

namespace rec::agent {

struct KnownThread {
  int32_t os_id = 0;
  int64_t java_id = 0;
  int64_t started_ns = -1;  // since the machine's boot; -1: not read yet
  std::optional<int> nice;

  int64_t cpu_ns = -1;  // when it began to be looked at; -1: nothing of the following is known
  OutsideWalk::Place place;
  StackSource source = StackSource::kNone;
  const char* why = "";
  std::vector<ThreadFrame> stack;
  std::vector<MonitorSlot> monitors;

  uint32_t dump = 0;  // the last one that had it
};

class KnownThreads {
 public:
  void begin() { ++dump_; }
  // Nothing is known of it if another thread was there before. The reference holds until end().
  KnownThread& of(uint64_t java_thread, int32_t os_id, int64_t java_id);
  void end();  // forgets who was not asked for
  void forget() { known_.clear(); }

 private:
  uint32_t dump_ = 0;
  std::unordered_map<uint64_t, KnownThread> known_;  // by JavaThread*
};

}  // namespace rec::agent
