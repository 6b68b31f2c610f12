// SPDX-License-Identifier: Apache-2.0
// MallocSampling is what the hooks in front of malloc and free (allocator_hooks.h) do beside calling these: each allocation
// counts the thread's bytes down, and each free asks whether its address is followed. What is sampled becomes an event.
//
//   allocated()   behind the call                   a subtraction, two comparisons
//   freed()       before it: afterwards the address may be another thread's             a byte, which is 0 as a rule
//   realloc       taken() before the call, then freed() as of that time, or kept() if it failed; and allocated()
//
// There is one for the life of the process: a hook may be called at any time, also when nothing records any more (by who
// has taken a copy of an entry). Then, and in a forked child, nothing is done.
//
// start(), change() and stop(): ordinary threads, one at a time; library_came(): ordinary threads. The rest: any thread, in
// the middle of any code; no lock, no allocation, errno stays.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/nativemem/byte_countdown.h"
#include "agent/nativemem/followed_addresses.h"
#include "agent/nativemem/malloc_events.h"
#include "agent/process/handler_local.h"

namespace rec::agent {

class MallocSampling {
 public:
  // interval: bytes; 0: each allocation. follows: frees are told.
  void start(VmSession& session, int64_t interval, bool follows);
  void change(int64_t interval);
  void stop();
  // A library is loaded: the frames of its first allocation have its name. Ordinary threads, any number, once started.
  void library_came() { events_.library_came(); }
  bool running() const { return number_.load(std::memory_order_relaxed) != kOff; }

  void allocated(void* at, size_t size) {
    if (at != nullptr && own_.countdown.runs_out(size, number_.load(std::memory_order_relaxed))) look_closer(at, size);
  }
  void freed(void* at) {
    if (may_follow(at)) end(at);
  }

  bool may_follow(void* at) const { return at != nullptr && followed_.may_have(reinterpret_cast<uint64_t>(at)); }
  struct Taken {
    bool followed = false;
    int64_t ticks = 0;
  };
  Taken taken(void* at);
  void freed(void* at, const Taken& as_of);
  void kept(void* at, const Taken& as_of);

 private:
  static constexpr uint32_t kOff = 0;  // the number of no interval
  struct Own {
    ByteCountdown countdown;
    bool inside = false;  // an event is being made
  };
  static constinit REC_HANDLER_LOCAL Own own_;

  void look_closer(void* at, size_t size);
  void sample(uint64_t address, size_t size, int64_t interval);
  void end(void* at);
  bool is_forked() const;

  std::atomic<uint32_t> number_{kOff};  // of the interval
  std::atomic<bool> follows_{false};
  std::atomic<pid_t> process_{0};
  std::atomic<int64_t> interval_{0};
  uint32_t last_number_ = kOff;
  std::atomic<uint64_t> random_{0};
  MallocEvents events_;
  FollowedAddresses followed_;
};

}  // namespace rec::agent
