// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/own_stacks.h"

#include <sys/mman.h>

#include "agent/hotspot/processor/signal_context.h"
#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/vm/symbols.h"

namespace rec::agent {
namespace {

constexpr uint32_t kLookBack = 16;  // frames that a repeated method is looked for in: recursion

}  // namespace

OwnStacks::OwnStacks(const VmCode& vm) : vm_(vm), asker_(*this) {}

bool OwnStacks::ready() {
  if (slots_ == nullptr) {
    void* memory = mmap(nullptr, sizeof(Slot) * kSlots, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    slots_ = static_cast<Slot*>(memory);  // nothing is touched that no thread answers into
  }
  return asker_.ready();
}

int OwnStacks::try_ask(uint64_t java_thread, int32_t os_id) {
  return asker_.try_ask(os_id, [&](uint32_t slot) { slots_[slot].java_thread = java_thread; });
}

OwnStacks::Answer OwnStacks::answer_of(int index) const {
  const Slot& slot = slots_[index];
  Answer answer;
  answer.walk = slot.walk;
  answer.state_word = slot.state_word;
  answer.may_not_fault = slot.may_not_fault;
  answer.raw = {slot.raw.data(), slot.walk.count};
  answer.frames = {slot.frames.data(), slot.walk.count};
  return answer;
}

void OwnStacks::answer(uint32_t slot, const ucontext_t& context) { fill(slots_[slot], context); }

void OwnStacks::fill(Slot& slot, const ucontext_t& context) const {
  slot.walk = {};
  slot.text_used = 0;
  slot.may_not_fault = !may_fault(context);
  if (slot.may_not_fault) return;
  slot.state_word = state_word(vm_.layout, slot.java_thread);
  slot.walk = walk_stack(vm_, registers_of(context), slot.java_thread, slot.raw, CarrierFrames::kShown);
  for (uint32_t i = 0; i < slot.walk.count; ++i) name(slot, i);
}

void OwnStacks::name(Slot& slot, uint32_t index) const {
  FrameFacts& facts = slot.frames[index];
  facts = FrameFacts{};
  if (!read_key(vm_.layout, slot.raw[index], facts.key)) return facts.key.id = 0, void();
  for (uint32_t back = 1; back <= kLookBack && back <= index; ++back)
    if (slot.frames[index - back].key == facts.key) return facts = slot.frames[index - back], void();
  FrameFacts whole;
  bool kept = read_frame(vm_.layout, slot.raw[index], whole);
  for (int i = 0; i < FrameFacts::kTexts && kept; ++i) kept = keep_text(slot, *whole.text(i));
  facts = kept ? whole : FrameFacts{};
}

bool OwnStacks::keep_text(Slot& slot, TextView& text) const {
  if (text.size == 0) return text = {}, true;
  if (text.size > kTextBytes - slot.text_used) return false;
  char* to = slot.text.data() + slot.text_used;
  if (!copy_text(text, to)) return false;
  slot.text_used += text.size;
  text.address = to;
  return true;
}

}  // namespace rec::agent
