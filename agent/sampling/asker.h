// SPDX-License-Identifier: Apache-2.0
// Asker has other threads do something inside a signal handler: Owner::answer(). It sends a signal that nobody else
// handles, and waits for nobody. Where somebody has taken that signal since, the next question goes by another one.
//
//   free -- try_ask() --> asked -- the thread's handler --> answering -- answer() returns --> answered
//    ^                      |                                                                    |
//    +----------------------+----------------------- give_back() --------------------------------+
//
//   give_back()   whoever asked has done. A signal that comes late finds another question and does nothing; a slot
//                 whose thread was stopped in the middle of answering is used again when that is over
//   leave()       likewise, but the thread answers all the same: its slot is used again when it has, or when no other
//                 is free
//
// A thread that blocks that signal gets the spare one (spare_question.h). Where no signal is left, a line says so once.
//
// What the question is about, and the answer, are the owner's, a piece for each slot: the asker's until try_ask() has
// prepared them, then the handler's, and the asker's again once answered() says so (question.h tells how).
//
// One for each type of owner; it lives as long as the process, since a signal may come at any time. Ordinary threads,
// any number at a time, but for the handler.
#pragma once

#include <ucontext.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "agent/hotspot/processor/signal_context.h"
#include "agent/process/os_state.h"
#include "agent/sampling/own_signal.h"
#include "agent/sampling/question.h"
#include "agent/sampling/spare_question.h"

namespace rec::agent {

template <typename Owner, uint32_t kSlots>
class Asker {
  static_assert(kSlots <= QuestionSignal::kMaxSlots);

 public:
  // Signal-safe: owner.answer(uint32_t slot, const ucontext_t& context).
  explicit Asker(Owner& owner) : owner_(owner), signal_(OwnSignal::Use::kQuestions, on_question) {}

  // Takes a signal that nobody handles, or keeps the one it has. False: none is free. What answer() needs is there.
  bool ready() {
    const std::lock_guard<std::mutex> lock(mutex_);
    the_asker.store(this, std::memory_order_release);  // pairs with the acquire in on_question()
    has_spare_ = owner_number_ != 0 && take_spare_question_signal();
    return signal_.is_ours() || signal_.take();
  }

  // prepare(slot) writes what the question is about; last_look(), just before the signal goes, may say that it is not to. -1: it said
  // so, no slot is free, no signal, or the thread has gone.
  template <typename Prepare, typename LastLook>
  int try_ask(int32_t os_id, Prepare prepare, LastLook last_look) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const int index = signal_.keep() ? free_slot() : -1;
    if (index < 0) return -1;
    Slot& slot = slots_[static_cast<size_t>(index)];
    slot.held = true;
    prepare(static_cast<uint32_t>(index));
    const QuestionSignal signal{static_cast<uint32_t>(index), slot.question.ask(), owner_number_};
    const int number = signal_for(os_id);
    if (number == kSpareQuestionSignal) note_spare_question();
    if (last_look() && signal.send(os_id, number)) return index;
    slot.question.reset();
    slot.held = false;
    return -1;
  }

  template <typename Prepare>
  int try_ask(int32_t os_id, Prepare prepare) {
    return try_ask(os_id, prepare, [] { return true; });
  }

  // It blocks both signals. Asked, it would keep one more of them in the system's queue, which all processes of a user
  // share, and in which there is an end of room. Where there is no signal nobody is: the question itself finds that.
  bool is_deaf(int32_t os_id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return signal_.keep() && blocks_signal(os_id, signal_.number()) &&
           (!has_spare_ || blocks_signal(os_id, kSpareQuestionSignal));
  }

  bool answered(int slot) const { return state(slot) == Question::State::kAnswered; }

  // The thread will not answer. False: it has begun.
  bool try_withdraw(int slot) {
    return state(slot) == Question::State::kAsked && slots_[static_cast<size_t>(slot)].question.reset();
  }
  void give_back(int slot) {
    const std::lock_guard<std::mutex> lock(mutex_);
    slots_[static_cast<size_t>(slot)].question.reset();
    slots_[static_cast<size_t>(slot)].held = false;
  }
  void leave(int slot) {
    const std::lock_guard<std::mutex> lock(mutex_);
    slots_[static_cast<size_t>(slot)].held = false;
  }

 private:
  struct Slot {
    Question question;
    bool held = false;  // somebody waits for it; under mutex_
  };

  Question::State state(int slot) const { return slots_[static_cast<size_t>(slot)].question.state(); }

  int free_slot() {
    using State = Question::State;
    for (const State wanted : {State::kFree, State::kAnswered, State::kAsked})
      for (uint32_t i = 0; i < kSlots; ++i) {
        Slot& slot = slots_[i];
        if (!slot.held && slot.question.state() == wanted && slot.question.reset()) return static_cast<int>(i);
      }
    return -1;
  }

  int signal_for(int32_t os_id) const {
    return has_spare_ && blocks_signal(os_id, signal_.number()) && !blocks_signal(os_id, kSpareQuestionSignal)
               ? kSpareQuestionSignal
               : signal_.number();
  }

  // The handler.
  static void on_question(int, siginfo_t* info, void* context) {
    const ErrnoSaver errno_saver;
    Asker* asker = the_asker.load(std::memory_order_acquire);  // pairs with the release in ready()
    QuestionSignal signal;
    if (asker == nullptr || !QuestionSignal::read(*info, signal) || signal.slot >= kSlots) return;
    Question& question = asker->slots_[signal.slot].question;
    if (!question.begin(signal.generation)) return;
    asker->owner_.answer(signal.slot, *static_cast<const ucontext_t*>(context));
    question.end();
  }

  inline static std::atomic<Asker*> the_asker{nullptr};  // null before the first question and never null again

  Owner& owner_;
  OwnSignal signal_;
  const int32_t owner_number_ = add_spare_asker(on_question);
  std::atomic<bool> has_spare_{false};
  std::mutex mutex_;  // of those who ask; no handler takes it
  std::array<Slot, kSlots> slots_{};
};

}  // namespace rec::agent
