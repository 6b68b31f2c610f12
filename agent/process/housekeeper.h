// SPDX-License-Identifier: Apache-2.0
// The Housekeeper is one quiet thread for what has to be done now and then. It blocks all signals but faults
// (own_thread.h), and Java does not know it.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace rec::agent {

class Housekeeper {
 public:
  // What the work may see of the thread that it runs in; it lives as long as the work.
  class Pause {
   public:
    bool wait_for(int64_t ns);  // false: the work is to stop
   private:
    friend class Housekeeper;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false;  // under mutex_
    bool ended_ = false;     // likewise
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
