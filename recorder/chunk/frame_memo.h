// SPDX-License-Identifier: Apache-2.0
// FrameMemo remembers how frames of stacks are written. Stacks share most of their frames, and each takes a method's key
// and a line, for which the table of a large method is read from its begin.
//
//   start_over()           a chunk begins: its constants are none that were written before
//   read_from(epoch)       of whose facts the frames that follow are: a Ref means another method in another epoch
//   find(), enter()        a frame's bytes; what has the same place as another frame replaces it
//
// Recorder thread only.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "recorder/spool/facts.h"

namespace rec {

class FrameMemo {
 public:
  static constexpr size_t kMostBytes = 20;  // key 9, line 5, bytecode index 5, type 1

  void start_over() { places_.clear(); }
  void read_from(uint32_t epoch) {
    if (epoch != epoch_) start_over();
    epoch_ = epoch;
  }

  // Empty: it is not known.
  std::span<const uint8_t> find(const Frame& frame) const {
    if (places_.empty()) return {};
    const Place& place = places_[index_of(frame)];
    return place.frame == frame ? std::span(place.bytes.data(), place.size) : std::span<const uint8_t>();
  }
  void enter(const Frame& frame, std::span<const uint8_t> bytes) {
    assert(bytes.size() <= kMostBytes && "no field of a frame takes more");
    if (places_.empty()) places_.resize(size_t{1} << kBits);
    Place& place = places_[index_of(frame)];
    place.frame = frame;
    place.size = static_cast<uint8_t>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), place.bytes.begin());
  }

 private:
  static constexpr unsigned kBits = 13;  // 256 KiB
  struct Place {
    Frame frame;
    uint8_t size = 0;  // 0: none is here
    std::array<uint8_t, kMostBytes> bytes{};
  };
  static size_t index_of(const Frame& frame) {
    uint64_t word;
    std::memcpy(&word, &frame, sizeof word);
    return word * 0x9e3779b97f4a7c15u >> (64 - kBits);
  }

  std::vector<Place> places_;
  uint32_t epoch_ = 0;
};

}  // namespace rec
