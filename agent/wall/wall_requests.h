// SPDX-License-Identifier: Apache-2.0
// WallRequests has threads that run Java code write a sample of the wall clock themselves, since nobody else can walk
// their stacks. One that runs is interrupted in nothing: only a thread that sleeps would be woken by a signal, and it is
// sent none.
//
// Lives as long as the process, since a signal may come at any time. Asking: one ordinary thread at a time.
#pragma once

#include <ucontext.h>

#include <array>
#include <cstdint>

#include "agent/sampling/asker.h"
#include "agent/sampling/sampler.h"
#include "agent/sampling/wall_sample.h"

namespace rec::agent {

class WallRequests {
 public:
  static constexpr uint32_t kSlots = 128;  // signals under way at a time

  WallRequests(ThreadRegistry& threads, Sampler& sampler) : threads_(threads), sampler_(sampler), asker_(*this) {}

  bool ready() { return asker_.ready(); }  // false: no signal is free

  int try_ask(int32_t os_id, const WallSample& sample);  // a slot; -1: the thread has gone, or no slot is free
  // Whether it was written, or is just being; if not, it will not be any more. The slot is free then.
  bool take(int slot);

  const SampleContexts& contexts() const { return sampler_.contexts(); }

  // The asker's. The request that a thread which stands works for (SampleContexts), and the virtual one that it carries.
  RequestContext context_of(const ThreadRecord& thread, int64_t carried) const {
    const int64_t id = SampleContexts::asks_for_virtual() ? carried : 0;
    return sampler_.contexts().of_other(thread.pointer.load(std::memory_order_relaxed), id);
  }

  NativeFrames native_frames() const { return sampler_.shown_frames().native; }

  // Signal-safe: the handler's work.
  void answer(uint32_t slot, const ucontext_t& context);

 private:
  struct Slot {
    int32_t os_id = 0;
    WallSample sample;
    bool written = false;
  };
  bool write(Slot& slot, ThreadRecord& thread, const ucontext_t& context);

  ThreadRegistry& threads_;
  Sampler& sampler_;
  Asker<WallRequests, kSlots> asker_;
  std::array<Slot, kSlots> slots_{};
};

}  // namespace rec::agent
