// SPDX-License-Identifier: Apache-2.0
#include "agent/housekeeper.h"

#include <signal.h>

#include <chrono>

namespace rec::agent {

bool Housekeeper::start(std::function<void()> work) {
  work_ = std::move(work);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // inherited by the thread
  started_ = pthread_create(&thread_, nullptr, run, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started_;
}

void* Housekeeper::run(void* self) {
  pthread_setname_np(pthread_self(), "rec housekeeper");
  static_cast<Housekeeper*>(self)->work_();
  return nullptr;
}

void Housekeeper::stop() {
  if (!started_) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  pthread_join(thread_, nullptr);
  started_ = false;
}

bool Housekeeper::wait_for(int64_t ns) {
  std::unique_lock<std::mutex> lock(mutex_);
  return !wake_.wait_for(lock, std::chrono::nanoseconds(ns), [this] { return stopping_; });
}

}  // namespace rec::agent
