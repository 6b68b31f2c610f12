// SPDX-License-Identifier: Apache-2.0
// ThreadLoads remembers what each thread had used at the look before, and tells what is new. Who it remembers is told
// apart by the system's id and a number that no other thread of the process has, for the system uses ids again.
//
//   next(thread, now) for each thread there is, then end_look(), which forgets those that were not asked for
//
// No locks: one thread, the housekeeper's.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace rec::agent {

struct ThreadIdentity {
  int32_t os_id = 0;
  uint64_t number = 0;
};

struct ThreadUse {
  int64_t at_ns = 0;       // ticks
  int64_t cpu_ns = -1;     // of its life
  int64_t allocated = -1;  // bytes; -1: not known, or not a thread of Java
};

class ThreadLoads {
 public:
  struct New {
    int64_t cpu_ns = 0, time_ns = 0;  // since the look before; 0, 0 at the first
    bool allocated = false;           // it has allocated since, or this is the first look at it
  };
  New next(const ThreadIdentity& thread, const ThreadUse& now);

  // Behind next(), of a thread that has run: how much of the new CPU time was its own code's, by the user time of its
  // life. That is coarse: what is more than the whole is left for the next look. Not asked for (kUserUnknown): as it was
  // in its life so far, which is enough for a thread that has hardly run.
  static constexpr int64_t kUserUnknown = -1;
  int64_t user_since(const ThreadIdentity& thread, int64_t user_ns, int64_t cpu_since_ns);

  void end_look();
  size_t size() const { return known_.size(); }

 private:
  struct Known {
    uint64_t number = 0;
    ThreadUse use;
    int64_t user_ns = kUserUnknown;  // told so far; kUserUnknown: not asked for yet
    double user_part = 1;            // of its life, when it was asked for last
    uint32_t look = 0;
  };
  std::unordered_map<int32_t, Known> known_;
  uint32_t look_ = 1;
};

}  // namespace rec::agent
