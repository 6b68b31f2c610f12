// SPDX-License-Identifier: Apache-2.0
// NativememClock is the clock `nativemem`: an allocation of native memory (malloc and the like) each so many bytes, by any
// library of the process, the VM above all, and the end of those that were sampled: what has none has leaked.
//
// Its samples are profiler.Malloc and profiler.Free (malloc_events.h). Libraries that are loaded later are found by the
// housekeeper.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "agent/process/import_tables.h"
#include "agent/sampling/clock.h"
#include "agent/sampling/vm_session.h"

namespace rec::agent {

class NativememClock final : public Clock {
 public:
  // follows: frees are told.
  NativememClock(VmSession& session, bool follows) : session_(session), follows_(follows) {}

  const char* name() const override { return "nativemem"; }
  base::Status start(JNIEnv* jni, int64_t interval_bytes) override;
  base::Status change(int64_t interval_bytes) override;
  void stop(JNIEnv* jni) override;
  void tend() override;
  ClockStatus status() override;

 private:
  void remove_hooks();
  void say_refused(const ImportCount& count);

  VmSession& session_;
  const bool follows_;
  std::atomic<bool> running_{false};
  std::atomic<int64_t> interval_{0};  // since it ran for the first time
  std::mutex mutex_;                  // of import tables, and all below
  uint64_t changes_ = 0;              // of libraries, at the last look
  bool look_again_ = false;           // some were just coming then
  bool said_refused_ = false;
};

}  // namespace rec::agent
