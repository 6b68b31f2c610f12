// SPDX-License-Identifier: Apache-2.0
// Callers name the thread that has called malloc, as a fact of the epoch. A thread that Java knows, or that the clock of CPU
// time has found, has a record (thread_record.h). Others, those of the VM and of libraries where no such clock runs, are
// known by their id and their name in the system, by which their kind is told, too:
//
//   number of such a thread   1 << 47 | hash of the name << 32 | id      no record's: those count from 1
//
// What was told to the epoch is remembered for some of them, one a place; who finds his place taken tells it once more.
//
// Of the thread itself, in the middle of any code: no lock, no allocation. A system call for a thread without a record.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "agent/hotspot/state/thread_kind.h"
#include "agent/process/system_thread.h"
#include "agent/sampling/sampler.h"
#include "agent/sampling/thread_record.h"

namespace rec::agent {

struct Caller {
  Ref<ThreadFact> thread;
  ThreadKind kind = ThreadKind::kNative;  // kJava: there may be a stack
};

class Callers {
 public:
  // record: the calling thread's, or null.
  Caller tell(Epoch& epoch, const Sampler& sampler, ThreadRecord* record);

 private:
  static constexpr uint32_t kPlaces = 256;
  struct Place {
    std::atomic<bool> busy{false};
    int32_t os_id = 0;
    SystemName name;
    ThreadTag tag;
  };
  Ref<ThreadFact> stranger(Epoch& epoch, int32_t os_id, const SystemName& name);

  std::array<Place, kPlaces> places_{};
};

}  // namespace rec::agent
