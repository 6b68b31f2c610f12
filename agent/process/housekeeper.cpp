// SPDX-License-Identifier: Apache-2.0
#include "agent/process/housekeeper.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "agent/process/memory.h"
#include "agent/process/own_thread.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

constexpr int64_t kLongestPauseNs = INT64_MAX / 2;

// Sleeps while the word is 0, until a time of CLOCK_MONOTONIC. False: that time has come. True: perhaps for nothing.
bool sleep_while_zero(std::atomic<uint32_t>& word, const timespec& until) {
  constexpr int kWait = FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG;
  return syscall(SYS_futex, &word, kWait, 0, &until, nullptr, FUTEX_BITSET_MATCH_ANY) == 0 || errno != ETIMEDOUT;
}

void wake_sleeper(std::atomic<uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, nullptr, nullptr, 0);
}

}  // namespace

bool Housekeeper::start(Work work) {
  shift_ = std::make_shared<Shift>();
  shift_->work = std::move(work);
  auto* of_thread = new std::shared_ptr<Shift>(shift_);
  sigset_t before;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  block_all_but_faults();  // inherited by the thread
  pthread_t thread;
  const bool started = pthread_create(&thread, nullptr, run, of_thread) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (started) pthread_detach(thread);
  if (started) return true;
  delete of_thread;
  shift_.reset();
  return false;
}

void* Housekeeper::run(void* shift) {
  const std::unique_ptr<std::shared_ptr<Shift>> mine(static_cast<std::shared_ptr<Shift>*>(shift));
  pthread_setname_np(pthread_self(), "rec housekeeper");
  wait_for_memory();
  Pause& pause = (*mine)->pause;
  (*mine)->work(pause);
  {
    const std::lock_guard<std::mutex> lock(pause.mutex_);
    pause.ended_ = true;
  }
  pause.end_.notify_all();
  return nullptr;
}

void Housekeeper::stop(int64_t wait_ns) {
  if (!shift_) return;
  Pause& pause = shift_->pause;
  pause.stop();
  if (wait_ns > 0) {
    std::unique_lock<std::mutex> lock(pause.mutex_);
    pause.end_.wait_for(lock, std::chrono::nanoseconds(wait_ns), [&] { return pause.ended_; });
  }
  shift_.reset();
}

// release: pairs with the acquire in wait_for(): what was done before is seen by whoever wakes.
void Housekeeper::Pause::cut() {
  cuts_.fetch_add(1, std::memory_order_release);
  wake_sleeper(cuts_);
}

// release: pairs with the acquire in wait_for(): what was done before is seen by the work that stops.
void Housekeeper::Pause::stop() {
  stopping_.store(true, std::memory_order_release);
  cut();
}

// acquire, all: pairs with the releases in stop() and cut().
bool Housekeeper::Pause::wait_for(int64_t ns) {
  const int64_t until_ns = base::now_ticks() + std::clamp<int64_t>(ns, 0, kLongestPauseNs);
  const timespec until{until_ns / base::kSecond_ns, until_ns % base::kSecond_ns};
  const auto stopping = [this] { return stopping_.load(std::memory_order_acquire); };
  while (!stopping() && cuts_.load(std::memory_order_acquire) == 0 && sleep_while_zero(cuts_, until)) continue;
  // One pause takes one cut; nobody else takes any.
  if (cuts_.load(std::memory_order_acquire) != 0) cuts_.fetch_sub(1, std::memory_order_relaxed);
  return !stopping();
}

}  // namespace rec::agent
