// SPDX-License-Identifier: Apache-2.0
// StackRequests asks threads, by a signal, where they are. The thread walks its own stack in the handler, tags it and
// commits a rec.LateStack by itself: whoever asked need not wait, and an answer that comes when everything is over is
// still written.
//
//   ask() --> a slot's question (question.h) --> the handler commits --> answer()
//     +------------------- forget() -------------------> it is answered all the same; the slot is taken anew when that
//     is
//                                                        done, or when no other is free
//
// Lives as long as the process, since a signal may come at any time.
#pragma once

#include <ucontext.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "agent/sampling/own_signal.h"
#include "agent/sampling/question.h"
#include "agent/sampling/sampler.h"
#include "agent/sampling/scratch_pool.h"
#include "agent/sampling/thread_registry.h"

namespace rec::agent {

class StackRequests {
 public:
  static constexpr size_t kSlots = 128;       // signals under way at a time
  static constexpr size_t kMaxFields = 1024;  // bytes of the event that the asker encodes

  StackRequests(const VmCode& vm, ThreadRegistry& threads, const Sampler& sampler);

  // Ordinary threads, from here to forget(). False: no signal is free, or no memory for the walks.
  bool open(uint32_t depth);
  int signal_number() const { return signal_.number(); }

  struct Ticket {
    int slot = -1;
    explicit operator bool() const { return slot >= 0; }
  };
  // fields: those of rec.LateStack, as if answered. Empty: the thread has gone, or no slot is free.
  Ticket ask(int32_t os_id, const std::vector<uint8_t>& fields);

  struct Answer {
    bool there = false;
    int64_t ticks = 0;
    Ref<StackFact> stack;  // good as long as the epoch of that serial is current; empty: no stack could be had
    uint32_t epoch_serial = 0;
  };
  Answer answer(const Ticket& ticket);
  void forget(Ticket& ticket);  // an answer that is still to come is written all the same

  // Signal-safe: the handler's work.
  void on_signal(const QuestionSignal& signal, const ucontext_t& context);

 private:
  // The fields are the handler's while it is asked, the answer is the asker's once it is answered.
  struct Slot {
    Question question;
    bool owned = false;  // under mutex_
    int32_t os_id = 0;
    uint32_t size = 0;
    std::array<uint8_t, kMaxFields> fields{};
    Answer answer;
  };
  Slot* take(uint32_t& index);
  void reply(Slot& slot, ThreadRecord& thread, const ucontext_t& context);
  Ref<StackFact> own_stack(Epoch& epoch, const Walk& walk, const ScratchPool::Scratch& scratch) const;

  const VmCode& vm_;
  ThreadRegistry& threads_;
  const Sampler& sampler_;
  OwnSignal signal_;
  ScratchPool scratch_;
  std::mutex mutex_;               // of askers; no handler takes it
  std::unique_ptr<Slot[]> slots_;  // made by the first open(): most programs ask nobody
};

}  // namespace rec::agent
