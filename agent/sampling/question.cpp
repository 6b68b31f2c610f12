// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/question.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cassert>

namespace rec::agent {

uint64_t Question::ask() {
  const uint64_t generation = generation_of(word_.load(std::memory_order_relaxed));
  assert(state() == State::kFree && "reset() comes before another question");
  // release: pairs with the exchange in begin(); the handler finds what it is asked.
  word_.store(word_of(generation, State::kAsked), std::memory_order_release);
  return generation;
}

// Whoever asks is alone, so the word changes at most twice meanwhile: the handler begins and ends.
bool Question::reset() {
  // acquire here, acq_rel below: pairs with the release in end(), so that nothing of the answer is written after it is
  // thrown away; and with begin(), which finds another generation.
  uint64_t word = word_.load(std::memory_order_acquire);
  for (int i = 0; i < 3 && state_of(word) != State::kAnswering; ++i)
    if (word_.compare_exchange_strong(word, word_of(generation_of(word) + 1, State::kFree), std::memory_order_acq_rel))
      return true;
  return false;
}

bool Question::begin(uint64_t generation) {
  uint64_t asked = word_of(generation, State::kAsked);
  // acq_rel: pairs with the release in ask(), and with the exchange in reset(): one of the two gets the word.
  return word_.compare_exchange_strong(asked, word_of(generation, State::kAnswering), std::memory_order_acq_rel);
}

void Question::end() {
  const uint64_t generation = generation_of(word_.load(std::memory_order_relaxed));
  assert(state() == State::kAnswering && "a question is its handler's from begin() to end()");
  // release: pairs with the acquires in state() and reset(); the answer is whole.
  word_.store(word_of(generation, State::kAnswered), std::memory_order_release);
}

bool QuestionSignal::send(int32_t os_id, int number) const {
  siginfo_t info{};
  info.si_signo = number;
  info.si_code = SI_QUEUE;
  info.si_errno = owner;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = reinterpret_cast<void*>(generation * kMaxSlots + slot);
  return syscall(SYS_rt_tgsigqueueinfo, getpid(), os_id, number, &info) == 0;
}

bool QuestionSignal::read(const siginfo_t& info, QuestionSignal& signal) {
  if (info.si_code != SI_QUEUE) return false;
  const auto value = reinterpret_cast<uint64_t>(info.si_value.sival_ptr);
  signal.slot = static_cast<uint32_t>(value % kMaxSlots);
  signal.generation = value / kMaxSlots;
  return true;
}

}  // namespace rec::agent
