// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/thread_call.h"

#include <time.h>

#include <chrono>
#include <mutex>

#include "agent/hotspot/x86_64/signal_context.h"
#include "agent/sampling/own_signal.h"
#include "agent/sampling/question.h"

namespace rec::agent::asgst {
namespace {

constexpr long kLookForAnswerNs = 50'000;  // between two looks whether it is done

void on_call(int, siginfo_t* info, void* context);

struct Call {
  Question question;
  ThreadFunction function = nullptr;
  void* arg = nullptr;
};

Call the_call;
OwnSignal the_signal(OwnSignal::Use::kQuestions, on_call);

std::timed_mutex& one_at_a_time() {
  static std::timed_mutex& mutex = *new std::timed_mutex;
  return mutex;
}

void on_call(int, siginfo_t* info, void* context) {
  const ErrnoSaver errno_saver;
  QuestionSignal signal;
  if (!QuestionSignal::read(*info, signal) || !the_call.question.begin(signal.generation)) return;
  the_call.function(the_call.arg, *static_cast<const ucontext_t*>(context));
  the_call.question.end();
}

// Until the thread has begun, or time is up; and if it has begun, until it has ended.
Called wait_for_answer(std::chrono::steady_clock::time_point end) {
  while (the_call.question.state() != Question::State::kAnswered) {
    if (std::chrono::steady_clock::now() >= end && the_call.question.state() == Question::State::kAsked &&
        the_call.question.reset())
      return Called::kTimeout;
    const timespec pause{0, kLookForAnswerNs};
    nanosleep(&pause, nullptr);
  }
  return Called::kDone;
}

}  // namespace

Called call_in_thread(int32_t os_id, ThreadFunction function, void* arg, int timeout_ms) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  const std::unique_lock<std::timed_mutex> lock(one_at_a_time(), end);
  if (!lock.owns_lock()) return Called::kTimeout;
  if (!the_signal.is_ours() && !the_signal.take()) return Called::kNoSignal;
  the_call.function = function;
  the_call.arg = arg;
  const QuestionSignal signal{0, the_call.question.ask()};
  const Called called = signal.send(os_id, the_signal.number()) ? wait_for_answer(end) : Called::kNoThread;
  the_call.question.reset();
  return called;
}

}  // namespace rec::agent::asgst
