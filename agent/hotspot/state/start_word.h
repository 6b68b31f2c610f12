// SPDX-License-Identifier: Apache-2.0
// StartWord finds the word that holds since when something goes on, at a fixed distance from a known address, where
// nothing tells the distance. It was seen not to be there at one time and to be there at a later one: the word is one of
// those that hold a time between the two, and that stay as they are while it goes on. Few such trials leave one word.
//
//   begin() -> [ still() ... ] -> end()        of one after the other, until known()
//
// Times are CLOCK_MONOTONIC, ns: os::javaTimeNanos() of the VM. All loads are safe ones.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace rec::agent {

class StartWord {
 public:
  // The words that are searched: [address + from, address + to), in bytes, multiples of 8.
  StartWord(int32_t from, int32_t to) : from_(from), to_(to) {}

  bool known() const { return offset_.has_value(); }
  bool wanted() const { return !known() && failures_ < kMaxFailures; }
  int64_t read(uint64_t address) const;  // known(). Whatever stands there: the caller knows which times may be

  // It was not there at absent_ticks, and is at present_ticks.
  void begin(uint64_t address, int64_t absent_ticks, int64_t present_ticks);
  void still();  // the same is there still, a while later
  void end();    // it is over, or was looked at for long enough

 private:
  struct Word {
    int32_t offset;
    int64_t value;
  };
  static constexpr int kEnough = 4, kMaxFailures = 32;  // trials

  const int32_t from_, to_;
  uint64_t address_ = 0;
  std::vector<Word> words_;      // of the trial: those that may be it
  int looks_ = 0;                // of the trial
  std::vector<int32_t> common_;  // offsets that no trial has ruled out yet
  int trials_ = 0, failures_ = 0;
  std::optional<int32_t> offset_;
};

}  // namespace rec::agent
