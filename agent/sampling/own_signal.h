// SPDX-License-Identifier: Apache-2.0
// OwnSignal is a signal that nobody else in the process handles.
//
//   kClock      clocks raise it: SIGSTKFLT, which Linux has and nothing uses. SIGPROF is meant for this, and just for
//               that other profilers take it, the JDK's own too
//   kQuestions  we send it to single threads (question.h): a real-time signal, for these queue, and none is lost when
//               two of us ask the same thread
//
// Who had one first keeps it: we take another. Our handlers stay installed for the life of the process: a signal that
// was pending while its thread blocked it would end the process if it met the default action.
#pragma once

#include <csignal>

namespace rec::agent {

// By which threads are reached that block these: HotSpot unblocks them in each thread of its own. sampler.h and spare_question.h have the handlers.
inline constexpr int kSpareClockSignal = SIGFPE, kSpareQuestionSignal = SIGILL;

class OwnSignal {
 public:
  enum class Use { kClock, kQuestions };
  using Handler = void (*)(int signal, siginfo_t* info, void* context);

  constexpr OwnSignal(Use use, Handler handler) : use_(use), handler_(handler) {}

  // Puts the handler on a free signal, or finds it there. False: none is free. Ordinary threads, one at a time.
  bool take();
  bool is_ours() const;  // nobody has replaced the handler since
  bool keep();           // takes another one where somebody has. False: none is free, which it says once
  int number() const { return number_; }

 private:
  bool take(int signal);

  const Use use_;
  const Handler handler_;
  int number_ = 0;     // 0: none
  bool said_ = false;  // that none is free
};

}  // namespace rec::agent
