// SPDX-License-Identifier: Apache-2.0
// The Housekeeper is one quiet thread for what has to be done now and then. It blocks all signals but faults
// (own_thread.h), and Java does not know it.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace rec::agent {

class Housekeeper {
 public:
  // What the work may see of the thread that it runs in; it lives as long as the work.
  //
  // A pause that is over wakes nobody. With a condition variable it would: its mutex is let go as if others waited for it,
  // and the kernel searches for them among all threads of the process that sleep by the same hash: 0.1 ms beside 5,000.
  // A semaphore would do, but those of older libcs cannot wait by CLOCK_MONOTONIC.
  class Pause {
   public:
    Pause() = default;
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
    bool wait_for(int64_t ns);  // false: the work is to stop
    void cut();                 // the pause at hand, or the next one, is over; any thread
   private:
    friend class Housekeeper;
    void stop();
    std::atomic<uint32_t> cuts_{0};  // that no pause has taken yet; what the kernel sleeps by (futex(2))
    std::atomic<bool> stopping_{false};
    std::mutex mutex_;
    std::condition_variable end_;
    bool ended_ = false;  // under mutex_
  };
  using Work = std::function<void(Pause& pause)>;

  bool start(Work work);  // false: the system has no thread for us
  // Tells the work, and waits at most so long for its end: what it uses has to live on.
  void stop(int64_t wait_ns = 0);

 private:
  struct Shift {
    Work work;
    Pause pause;
  };
  static void* run(void* shift);

  std::shared_ptr<Shift> shift_;  // none: not started
};

}  // namespace rec::agent
