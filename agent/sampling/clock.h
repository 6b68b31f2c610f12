// SPDX-License-Identifier: Apache-2.0
// A Clock is one thing that a recording samples by, each in a room of its own and with an interval in its own unit:
//
//   cpu     ns of a thread's CPU time       cpu_sampling.h
//   alloc   bytes that are allocated        agent/heap/alloc_clock.h
//   live    likewise, of what lives         agent/heap/live_clock.h
//   lock    ns of a wait for a lock         agent/locks/lock_clock.h
//   nativemem  bytes, by malloc             agent/nativemem/nativemem_clock.h
//
//   stopped -- start() --> running -- change() --> running -- stop() --> stopped
//
// A recording has as many as the user asked for. One that this VM or machine does not allow says why, and the others run.
// Ordinary threads that Java knows, one at a time, but for status().
#pragma once

#include <jni.h>

#include <cstdint>
#include <string>
#include <utility>

#include "base/result.h"

namespace rec::agent {

struct ClockStatus {
  bool running = false;
  int64_t interval = 0;  // as it is; may be coarser than what was asked for
  std::string what;      // for people: "posix cpu timer", "allocations, 512 KiB"
};

inline base::Error clock_refused(std::string why) { return {base::ErrorCode::kSystem, 0, std::move(why), 0}; }

class Clock {
 public:
  virtual ~Clock() = default;
  virtual const char* name() const = 0;  // as in event=

  // The error is the rest of a sentence that begins with the clock's name; nothing is left running then.
  virtual base::Status start(JNIEnv* jni, int64_t interval) = 0;
  // While it runs. The error says why not.
  virtual base::Status change(int64_t interval) = 0;
  virtual void stop(JNIEnv* jni) = 0;  // jni: null while the VM ends
  virtual void tend() {}               // of the housekeeper, a few times a second
  virtual ClockStatus status() = 0;    // any ordinary thread
};

}  // namespace rec::agent
