// SPDX-License-Identifier: Apache-2.0
// A sampled allocation of native memory as it is written: profiler.Malloc, and profiler.Free when it ends, as
// async-profiler has them, since JFR has none. The thread tells its own stack, from who called malloc; without native
// frames, or room for them, as far as it is one of Java: by the frame anchor, from where it left Java code.
//
//   profiler.Malloc   eventThread, stackTrace, address, size
//   profiler.Free     eventThread, no stack, address
//
// What a sample stands for follows from its size and the interval, which is among the settings of the recording: its reader
// cannot bear a further field.
//
// Of the thread that allocates or frees, in the middle of any code: no lock, no allocation; library_came(): ordinary threads.
// What does not get into the epoch is the caller's to count.
#pragma once

#include <cstddef>
#include <cstdint>

#include "agent/nativemem/caller.h"
#include "agent/sampling/vm_session.h"

namespace rec::agent {

struct SampledMalloc {
  uint64_t address = 0;
  uint64_t size = 0;
};

class MallocEvents {
 public:
  // session: of the process.
  void open(VmSession& session) { session_ = &session; }
  void library_came() { session_->vm.modules.refresh(); }

  enum class Outcome : uint8_t { kWritten, kLost, kNotRecording };
  Outcome allocated(const SampledMalloc& what);
  // ticks: before the memory could become somebody else's.
  Outcome freed(uint64_t address, int64_t ticks);

 private:
  Outcome allocated_in_java(const SampledMalloc& what, ThreadRecord& thread, const Registers& from);
  Outcome allocated_elsewhere(const SampledMalloc& what, ThreadRecord* record, const Registers& from);
  Outcome allocated_unwalked(const SampledMalloc& what, ThreadRecord* record);

  VmSession* session_ = nullptr;
  Callers callers_;
};

}  // namespace rec::agent
