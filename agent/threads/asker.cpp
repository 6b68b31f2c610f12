// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/asker.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>

#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/vm/symbols.h"
#include "agent/hotspot/x86_64/signal_context.h"

namespace rec::agent {
namespace {

constexpr uint32_t kLookBack = 16;  // frames that a repeated method is looked for in: recursion

// The handler's way here; null before the first question and never null again.
std::atomic<Asker*> the_asker{nullptr};

void on_question(int, siginfo_t* info, void* context) {
  const ErrnoSaver errno_saver;
  Asker* asker = the_asker.load(std::memory_order_acquire);
  QuestionSignal signal;
  if (asker != nullptr && QuestionSignal::read(*info, signal))
    asker->handle(signal, *static_cast<const ucontext_t*>(context));
}

}  // namespace

Asker::Asker(const VmCode& vm) : vm_(vm), signal_(OwnSignal::Use::kQuestions, on_question) {}

bool Asker::ready() {
  if (slots_ == nullptr) {
    void* memory = mmap(nullptr, sizeof(Slot) * kSlots, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    slots_ = static_cast<Slot*>(memory);  // zero is a free slot: nothing is touched that no thread answers into
    the_asker.store(this, std::memory_order_release);
  }
  return signal_.is_ours() || signal_.take();
}

int Asker::try_ask(uint64_t java_thread, int32_t os_id) {
  for (uint32_t i = 0; i < kSlots; ++i) {
    Slot& slot = slots_[i];
    if (slot.abandoned) slot.abandoned = !slot.question.reset();
    if (slot.abandoned || slot.question.state() != Question::State::kFree) continue;
    slot.java_thread = java_thread;
    const QuestionSignal signal{i, slot.question.ask()};
    if (signal.send(os_id, signal_.number())) return static_cast<int>(i);
    slot.question.reset();
    return -1;
  }
  return -1;
}

bool Asker::answered(int slot) const { return slots_[slot].question.state() == Question::State::kAnswered; }

Asker::Answer Asker::answer(int index) const {
  const Slot& slot = slots_[index];
  Answer answer;
  answer.walk = slot.walk;
  answer.state_word = slot.state_word;
  answer.may_not_fault = slot.may_not_fault;
  answer.raw = {slot.raw.data(), slot.walk.count};
  answer.frames = {slot.frames.data(), slot.walk.count};
  return answer;
}

void Asker::give_back(int index) { slots_[index].abandoned = !slots_[index].question.reset(); }

void Asker::handle(const QuestionSignal& signal, const ucontext_t& context) {
  if (signal.slot >= kSlots || !slots_[signal.slot].question.begin(signal.generation)) return;
  fill(slots_[signal.slot], context);
  slots_[signal.slot].question.end();
}

void Asker::fill(Slot& slot, const ucontext_t& context) const {
  slot.walk = {};
  slot.text_used = 0;
  slot.may_not_fault = !may_fault(context);
  if (slot.may_not_fault) return;
  slot.state_word = state_word(vm_.layout, slot.java_thread);
  slot.walk = walk_stack(vm_, registers_of(context), slot.java_thread, slot.raw);
  for (uint32_t i = 0; i < slot.walk.count; ++i) name(slot, i);
}

void Asker::name(Slot& slot, uint32_t index) const {
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

bool Asker::keep_text(Slot& slot, TextView& text) const {
  if (text.size == 0) return text = {}, true;
  if (text.size > kTextBytes - slot.text_used) return false;
  char* to = slot.text.data() + slot.text_used;
  if (!copy_text(text, to)) return false;
  slot.text_used += text.size;
  text.address = to;
  return true;
}

}  // namespace rec::agent
