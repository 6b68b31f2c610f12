// SPDX-License-Identifier: Apache-2.0
#include "agent/process/housekeeper.h"

#include <signal.h>

#include <chrono>

#include "agent/process/memory.h"
#include "agent/process/own_thread.h"

namespace rec::agent {

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
  pause.wake_.notify_all();
  return nullptr;
}

void Housekeeper::stop(int64_t wait_ns) {
  if (!shift_) return;
  Pause& pause = shift_->pause;
  {
    std::unique_lock<std::mutex> lock(pause.mutex_);
    pause.stopping_ = true;
    pause.wake_.notify_all();
    if (wait_ns > 0) pause.wake_.wait_for(lock, std::chrono::nanoseconds(wait_ns), [&] { return pause.ended_; });
  }
  shift_.reset();
}

bool Housekeeper::Pause::wait_for(int64_t ns) {
  std::unique_lock<std::mutex> lock(mutex_);
  return !wake_.wait_for(lock, std::chrono::nanoseconds(ns), [this] { return stopping_; });
}

}  // namespace rec::agent
