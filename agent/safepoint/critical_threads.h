// SPDX-License-Identifier: Apache-2.0
// CriticalThreads are the threads of one stall: those that were inside JNI critical sections when a collection needed
// them to leave, and those that waited meanwhile. All is read from outside; nobody is asked or stopped.
//
//   [ look() ... look() ] until it is over -> finish() -> commit()
//
// Who is inside is listed once: nobody else goes inside from then on. If nobody is, it is looked again: the collection
// before may be over, and the next one wait already. Who waits sleeps on a known lock, which
// /proc/self/task/TID/syscall tells; that is looked at now and then, and less often the longer it takes. The watcher's
// thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/hotspot/state/critical_words.h"
#include "agent/hotspot/state/thread_words.h"
#include "agent/hotspot/walk/frozen_stack.h"
#include "agent/process/os_state.h"
#include "agent/safepoint/critical_track.h"
#include "agent/safepoint/listed_thread.h"
#include "recorder/chunk/locker_events.h"
#include "recorder/epoch/lease.h"

namespace rec::agent {

class CriticalThreads {
 public:
  // What it works with; outlives it.
  struct Tools {
    const VmCode& vm;
    ThreadRegistry& threads;
    FrozenStack& frozen;
    const ThreadWords& words;
    const CriticalWords& critical;
  };
  CriticalThreads(const Tools& tools, CriticalWords::Held kind, int64_t from_ticks);

  void look(int64_t now);
  bool somebody_inside() const;
  // It was looked before that time, and nobody was inside then or later: something else kept the collection.
  bool nobody_was_inside(int64_t before_ticks) const;

  void finish(const CriticalTrack::Stall& stall, LockerStall& event);  // what is said of threads in it
  bool commit(const LockerStall& event);

 private:
  struct Listed : ListedThread {
    LockerThread event;
    int64_t before_ticks = 0, seen_ticks = 0;  // it was not known; it was
    int64_t last_ticks = 0;                    // it was seen for the last time,
    int64_t done_ticks = 0;                    // and was not; 0: it is still
    int tries = 0;                             // to read the stack
    Lease where;
    bool has_stack = false;
  };

  void list_inside(int64_t now);
  void list_owner(int64_t now);
  void list_waiting(int64_t now);
  void add_waiting(const ListedThread& thread, int64_t now);
  bool still(const Listed& thread) const;
  void follow(Listed& thread, int64_t now);
  void read_stack(Listed& thread);
  static void set_times(Listed& thread, const CriticalTrack::Stall& stall, int64_t end_ticks);

  const Tools tools_;
  const CriticalWords::Held kind_;
  const int64_t from_ticks_;
  std::vector<Listed> inside_, waiting_;
  std::set<int32_t> all_waiting_;  // ids of the system, of those that are not listed, too
  int32_t all_inside_ = 0;
  bool knows_waits_ = false;
  int64_t first_list_ticks_ = 0, listed_ticks_ = 0;  // when who is inside was looked at; 0: never
  int64_t scanned_ticks_ = 0, next_scan_ticks_ = 0;
  TaskDirectory tasks_;
};

}  // namespace rec::agent
