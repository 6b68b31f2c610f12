// SPDX-License-Identifier: Apache-2.0
// OwnStacks has threads walk their own stacks: those that run Java code, whose stack nobody else can read. Each gets a
// signal and a slot for its answer (asker.h); nobody waits for anybody longer than a limit.
//
// There is one for the life of the process. Asking: one ordinary thread at a time.
#pragma once

#include <ucontext.h>

#include <array>
#include <cstdint>
#include <span>

#include "agent/hotspot/walk/frame_facts.h"
#include "agent/hotspot/walk/stack_walker.h"
#include "agent/sampling/asker.h"

namespace rec::agent {

class OwnStacks {
 public:
  static constexpr uint32_t kSlots = 128;             // threads asked at a time
  static constexpr uint32_t kDepth = 1024;            // frames of an answer
  static constexpr uint32_t kTextBytes = 128u << 10;  // of all names in an answer; frames beyond are nameless

  explicit OwnStacks(const VmCode& vm);

  // The names are views of the slot: valid until give_back().
  struct Answer {
    Walk walk;
    uint32_t state_word = 0;
    uint64_t sp = 0;
    bool may_not_fault = false;  // the thread blocks SIGSEGV, or has no room for it: it did not walk
    std::span<const RawFrame> raw;
    std::span<const FrameFacts> frames;  // key.id 0: a method that could not be read
  };

  // Takes a signal that nobody handles, or keeps the one it has. False: none is free, or there is no memory.
  bool ready();
  int try_ask(uint64_t java_thread, int32_t os_id);              // a slot; -1: none is free, or the thread is gone
  bool is_deaf(int32_t os_id) { return asker_.is_deaf(os_id); }  // it blocks our signal
  bool answered(int slot) const { return asker_.answered(slot); }
  Answer answer_of(int slot) const;                     // of one that has answered
  void give_back(int slot) { asker_.give_back(slot); }  // whatever its state

  // Signal-safe: the handler's work.
  void answer(uint32_t slot, const ucontext_t& context);

 private:
  struct Slot {
    uint64_t java_thread = 0;
    uint32_t state_word = 0;
    bool may_not_fault = false;
    Walk walk;
    uint32_t text_used = 0;
    std::array<RawFrame, kDepth> raw;
    std::array<FrameFacts, kDepth> frames;
    std::array<char, kTextBytes> text;
  };
  void fill(Slot& slot, const ucontext_t& context) const;
  void name(Slot& slot, uint32_t index) const;
  bool keep_text(Slot& slot, TextView& text) const;

  const VmCode& vm_;
  Asker<OwnStacks, kSlots> asker_;
  Slot* slots_ = nullptr;  // mapped once, never freed: handlers may come late
};

}  // namespace rec::agent
