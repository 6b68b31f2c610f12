// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/thread_call.h"

#include <time.h>

#include <chrono>
#include <mutex>

#include "agent/sampling/asker.h"

namespace rec::agent::asgst {
namespace {

constexpr long kLookForAnswerNs = 50'000;  // between two looks whether it is done

// The call that is under way.
struct Call {
  ThreadFunction function = nullptr;
  void* arg = nullptr;

  void answer(uint32_t, const ucontext_t& context) { function(arg, context); }
};

Call the_call;

Asker<Call, 1>& asker() {
  static Asker<Call, 1>& only = *new Asker<Call, 1>(the_call);
  return only;
}

std::timed_mutex& one_at_a_time() {
  static std::timed_mutex& mutex = *new std::timed_mutex;
  return mutex;
}

// Until the thread has begun, or time is up; and if it has begun, until it has ended.
Called wait_for_answer(int slot, std::chrono::steady_clock::time_point end) {
  while (!asker().answered(slot)) {
    if (std::chrono::steady_clock::now() >= end && asker().try_withdraw(slot)) return Called::kTimeout;
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
  if (!asker().ready()) return Called::kNoSignal;
  if (asker().is_deaf(os_id)) return Called::kDeaf;
  const int slot = asker().try_ask(os_id, [&](uint32_t) { the_call = {function, arg}; });
  if (slot < 0) return Called::kNoThread;
  const Called called = wait_for_answer(slot, end);
  asker().give_back(slot);
  return called;
}

}  // namespace rec::agent::asgst
