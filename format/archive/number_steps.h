// SPDX-License-Identifier: Apache-2.0
// What is told of each number of a column, given those before it, so that a model (number_models.h) has less to learn.
//
//   AsItIs      the number
//   Difference  zigzag of the difference to the one before, at first to 0
//   Recent      its place, from 0, among the last kPlaces different ones, the latest first; else the number + kPlaces
//   Newest      zigzag of how far it is below the one behind the largest so far, which is 0 at first: 0 for ids that
//               count up
//
//   code()   a number -> what is told of it          number()   back. Both learn from it
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "format/archive/number_codec.h"

namespace jfr::archive {

struct AsItIs {
  static uint64_t code(uint64_t number) { return number; }
  static uint64_t number(uint64_t code) { return code; }
};

class Difference {
 public:
  uint64_t code(uint64_t number) {
    const uint64_t code = zigzag(number - before_);
    before_ = number;
    return code;
  }
  uint64_t number(uint64_t code) { return before_ += unzigzag(code); }

 private:
  uint64_t before_ = 0;
};

class Recent {
 public:
  static constexpr size_t kPlaces = 64;
  static constexpr uint64_t kMost = ~uint64_t{kPlaces};  // larger numbers have no code

  uint64_t code(uint64_t number) {
    const uint64_t* const end = places_.data() + used_;
    const auto place =
        static_cast<size_t>(std::find(static_cast<const uint64_t*>(places_.data()), end, number) - places_.data());
    const uint64_t code = place < used_ ? place : number + kPlaces;
    to_front(place, number);
    return code;
  }
  // A place that is none has 0: no writer names it.
  uint64_t number(uint64_t code) {
    const bool known = code < used_;
    const uint64_t number = known ? places_[code] : code < kPlaces ? 0 : code - kPlaces;
    to_front(known ? code : used_, number);
    return number;
  }

 private:
  // place: where it stands; used_ where it does not. The last one goes if there is no more room.
  void to_front(size_t place, uint64_t number) {
    if (place == used_ && used_ < kPlaces) ++used_;
    place = std::min(place, kPlaces - 1);
    std::copy_backward(places_.data(), places_.data() + place, places_.data() + place + 1);
    places_[0] = number;
  }

  std::array<uint64_t, kPlaces> places_{};
  size_t used_ = 0;
};

class Newest {
 public:
  uint64_t code(uint64_t number) {
    const uint64_t code = zigzag(largest_ + 1 - number);
    largest_ = std::max(largest_, number);
    return code;
  }
  uint64_t number(uint64_t code) {
    const uint64_t number = largest_ + 1 - unzigzag(code);
    largest_ = std::max(largest_, number);
    return number;
  }

 private:
  uint64_t largest_ = 0;
};

}  // namespace jfr::archive
