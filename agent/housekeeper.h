// SPDX-License-Identifier: Apache-2.0
// The Housekeeper is one quiet thread for what has to be done now and then. It blocks all signals, so that the
// application's are handled by the application's threads, and Java does not know it.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

namespace rec::agent {

class Housekeeper {
 public:
  bool start(std::function<void()> work);
  void stop();  // wakes the work and waits until it has returned; not from the work itself

  // For the work. False when it is to stop.
  bool wait_for(int64_t ns);

 private:
  static void* run(void* self);

  std::function<void()> work_;
  pthread_t thread_{};
  bool started_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // under mutex_
};

}  // namespace rec::agent
