// SPDX-License-Identifier: Apache-2.0
// Question is a slot for asking another thread, by a signal, to do something in its handler: to walk its own stack.
//
//   free --ask()--> asked --begin()--> answering --end()--> answered
//    ^                |                                         |
//    +----------------+---------------- reset() ----------------+
//
// One atomic word holds generation and state, and the signal carries the generation: a signal that comes late (its
// thread had it blocked, or did not run) finds another one and does nothing. So nobody has to wait for an answer. What
// asker and handler hand each other is written before the word changes (release) and read when it was seen to have
// changed (acquire).
//
// All of zero is a free one: slots may lie in fresh pages.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>

namespace rec::agent {

class Question {
 public:
  enum class State : uint8_t { kFree, kAsked, kAnswering, kAnswered };

  // The asker's, one thread at a time. acquire: pairs with the release in end(); the answer is whole.
  State state() const { return state_of(word_.load(std::memory_order_acquire)); }
  uint64_t ask();  // of a free one: its generation, for the signal
  bool reset();    // free again. False: the handler has begun and not ended

  // The handler's, signal-safe. True: the question is its own until end().
  bool begin(uint64_t generation);
  void end();

 private:
  static constexpr uint64_t word_of(uint64_t generation, State state) {
    return generation << 2 | static_cast<uint64_t>(state);
  }
  static constexpr State state_of(uint64_t word) { return static_cast<State>(word & 3); }
  static constexpr uint64_t generation_of(uint64_t word) { return word >> 2; }

  std::atomic<uint64_t> word_{0};
};

// What a signal carries: one question of up to 256.
struct QuestionSignal {
  static constexpr uint32_t kMaxSlots = 256;

  uint32_t slot = 0;
  uint64_t generation = 0;
  int32_t owner = 0;  // by the spare signal: whose question it is (spare_question.h)

  // False: no such thread, or the system's queue of signals is full.
  bool send(int32_t os_id, int number) const;

  // Signal-safe. False: somebody else has sent it.
  static bool read(const siginfo_t& info, QuestionSignal& signal);
};

}  // namespace rec::agent
