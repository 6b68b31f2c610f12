// SPDX-License-Identifier: Apache-2.0
// Waker is how anybody, a signal handler too, gets the recorder thread out of its sleep. Wakes do not add up: many
// before a wait() are one. wake() is signal-safe: one atomic exchange and, only if the recorder sleeps, one write to an
// eventfd. It may change errno. Each wait() looks whether somebody has closed that descriptor, and makes another.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/file_mark.h"

namespace base {

class Waker {
 public:
  ~Waker();
  bool open();  // before anything else; false (errno): no file descriptor to be had
  void wake();
  // Recorder thread: sleeps until a wake() since the last wait(), or until the time is over.
  void wait(int64_t timeout_ns);

 private:
  bool is_own() const;
  void close_own();
  enum State : uint32_t { kAwake, kWanted, kAsleep };
  std::atomic<uint32_t> state_{kAwake};
  std::atomic<int> event_{-1};
  FileMark mark_;  // that of all eventfds
};

}  // namespace base
