// SPDX-License-Identifier: Apache-2.0
// Trouble is what keeps the recorder from writing, from the first try that failed to the next one that works. The user
// reads one line per cause, and one when it is over:
//
//   cannot write /x/1.jfr: No space left on device; events wait in memory until this is over
//   recording goes on; 1234 samples were lost meanwhile
//
// A cause that comes and goes is said once in kRepeatNs; what was lost in the silence is in the next line. Recorder
// thread only.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"

namespace rec {

inline constexpr int64_t kTroubleRepeatNs = 10'000'000'000;

class Trouble {
 public:
  explicit Trouble(void (*log)(const char* line)) : log_(log) {}
  // lost: samples so far, for want of room.
  void failed(const base::Error& error, uint64_t lost, int64_t now_ticks);
  void over(uint64_t lost);
  bool stands() const { return stands_; }
  const std::string& what() const { return what_; }  // empty: nothing

 private:
  bool is_new(int cause, int64_t now_ticks);

  void (*log_)(const char* line);
  bool stands_ = false;
  bool said_ = false;  // since the last line that it is over
  std::string what_;
  uint64_t lost_before_ = 0;
  std::map<int, int64_t> said_at_;  // by errno, or minus the error's code
};

}  // namespace rec
