// SPDX-License-Identifier: Apache-2.0
// StackRequests asks threads, by a signal, where they are. The thread walks its own stack in the handler, tags it and, if
// it is asked for that, commits a rec.LateStack by itself: whoever asked need not wait, and an answer that comes when
// everything is over is still written.
//
//   ask() --> a slot's question (asker.h) --> the handler commits --> answer_of()
//     |
//     +-- forget() --> it is answered all the same
//
// Lives as long as the process, since a signal may come at any time.
#pragma once

#include <ucontext.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "agent/hotspot/processor/registers.h"
#include "agent/hotspot/state/monitor_words.h"
#include "agent/sampling/asker.h"
#include "agent/sampling/sampler.h"
#include "agent/sampling/scratch_pool.h"
#include "agent/sampling/thread_registry.h"

namespace rec::agent {

class StackRequests {
 public:
  static constexpr uint32_t kSlots = 128;     // signals under way at a time
  static constexpr size_t kMaxFields = 1024;  // bytes of the event that the asker encodes

  StackRequests(const VmCode& vm, ThreadRegistry& threads, const Sampler& sampler);

  // Ordinary threads, from here to forget(). False: no signal is free, or no memory for the walks.
  bool open(uint32_t depth);

  struct Ticket {
    int slot = -1;
    explicit operator bool() const { return slot >= 0; }
  };
  // fields: those of rec.LateStack, as if answered; none: no event is committed. Empty: the thread has gone or blocks our
  // signal, or no slot is free. while_owner: there is no stack if the thread does not hold that monitor any more. last_look: just
  // before the signal is sent; false: it is not.
  Ticket ask(int32_t os_id, const std::vector<uint8_t>& fields, const OwnerCheck& while_owner = {},
             const std::function<bool()>& last_look = nullptr);

  struct Answer {
    bool there = false;
    int64_t ticks = 0;
    Ref<StackFact> stack;    // good as long as the epoch of that serial is current; empty: no stack could be had,
    Ref<ThreadFact> thread;  // or it was not to be. Likewise: who it ran as
    uint32_t epoch_serial = 0;
    Registers registers;  // where it was
  };
  Answer answer_of(const Ticket& ticket) const;
  NativeFrames native_frames() const { return sampler_.shown_frames().native; }  // whether stacks show them
  void forget(Ticket& ticket);  // an answer that is still to come is written all the same

  // Signal-safe: the handler's work.
  void answer(uint32_t slot, const ucontext_t& context);

 private:
  // The fields are the handler's while it is asked, the answer is the asker's once it is answered.
  struct Slot {
    int32_t os_id = 0;
    uint32_t size = 0;
    std::array<uint8_t, kMaxFields> fields{};
    OwnerCheck while_owner;
    Answer answer;
  };
  void reply(Slot& slot, ThreadRecord& thread, const ucontext_t& context);
  Ref<StackFact> own_stack(Epoch& epoch, const Walk& walk, const ScratchPool::Scratch& scratch) const;

  const VmCode& vm_;
  ThreadRegistry& threads_;
  const Sampler& sampler_;
  Asker<StackRequests, kSlots> asker_;
  ScratchPool scratch_;
  std::mutex mutex_;               // of open()
  std::unique_ptr<Slot[]> slots_;  // made by the first open(): most programs ask nobody
};

}  // namespace rec::agent
