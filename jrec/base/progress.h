// SPDX-License-Identifier: Apache-2.0
// Progress is the line on stderr that tells how far a long reading is: 1.2 of 9.8 GB, 310 MB/s, 28 s left.
//
// It is there only when stderr is a terminal, after kPatience, and unless the user asked for quiet (quiet.h); it is taken away at
// the end. Call from one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace jrec {

void show_progress(bool shown);  // for the life of the process

class Progress {
 public:
  static constexpr std::chrono::milliseconds kPatience{1000}, kEvery{200};

  explicit Progress(uint64_t total_bytes) : total_(total_bytes) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void reached(uint64_t bytes);

 private:
  using Clock = std::chrono::steady_clock;

  const uint64_t total_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + kPatience;
  bool shown_ = false;
};

// "1.2 of 9.8 GB, 310 MB/s, 28 s left"
std::string progress_text(uint64_t done, uint64_t total, double seconds);

}  // namespace jrec
