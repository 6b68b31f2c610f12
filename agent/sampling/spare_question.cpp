// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/spare_question.h"

#include <array>
#include <atomic>
#include <mutex>

#include "agent/process/signal_chain.h"

namespace rec::agent {
namespace {

constexpr int32_t kMaxAskers = 4;

// Of the asker whose number is one more.
std::array<std::atomic<OwnSignal::Handler>, kMaxAskers> askers{};
std::atomic<int32_t> used{0};

std::atomic<bool> was_sent{false};

bool is_without_content(const siginfo_t& info) { return info.si_code == SI_USER && info.si_pid == 0; }

void on_spare_question(int signal, siginfo_t* info, void* context);

constinit SignalChain chain(kSpareQuestionSignal, on_spare_question, kSpareClockSignal);

void on_spare_question(int signal, siginfo_t* info, void* context) {
  const int32_t owner = info->si_code == SI_QUEUE ? info->si_errno : 0;
  if (owner < 1 || owner > kMaxAskers) {
    const bool is_ours = is_without_content(*info) && was_sent.load(std::memory_order_relaxed);
    if (!is_ours) chain.pass_up(info, context);
    return;
  }
  // acquire: pairs with the release in add_spare_asker().
  const OwnSignal::Handler asker = askers[static_cast<size_t>(owner - 1)].load(std::memory_order_acquire);
  if (asker != nullptr) asker(signal, info, context);
}

std::mutex& taking() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

}  // namespace

int32_t add_spare_asker(OwnSignal::Handler on_question) {
  const int32_t index = used.fetch_add(1, std::memory_order_relaxed);
  if (index >= kMaxAskers) return 0;
  // release: pairs with the acquire in on_spare_question(); who is asked by this number finds its handler.
  askers[static_cast<size_t>(index)].store(on_question, std::memory_order_release);
  return index + 1;
}

void note_spare_question() { was_sent.store(true, std::memory_order_relaxed); }

bool take_spare_question_signal() {
  const std::lock_guard<std::mutex> lock(taking());
  return chain.put_in_front();
}

}  // namespace rec::agent
