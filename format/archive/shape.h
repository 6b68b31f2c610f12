// SPDX-License-Identifier: Apache-2.0
// A Shape is a type of the chunk's metadata as steps over the wire, each with the stream that its value goes to.
// Encoder and decoder make the same shapes of the same metadata, so streams need no names.
//
//   long startTime, Thread eventThread, String text     ->  kTime #0, kLeb #1, kText #2 #3 #4 #5 and bytes #0
#pragma once

#include <cstdint>
#include <vector>

#include "format/archive/record_copy.h"
#include "format/archive/stream.h"
#include "format/reader/metadata.h"

namespace jfr::archive {

struct Step {
  enum class Kind : uint8_t {
    kLeb,       // an integer, or the key of a constant
    kTime,      // the start of an event (event_clock.h)
    kDuration,  // an integer: how long the event took that has just started
    kByte,      // boolean, byte
    kFixed,     // float, double: `width` bytes, big-endian
    kText,      // streams: encoding; key; length; characters; and bytes
    kArray,     // stream: length; then `inner`, so many times
    kFrames,    // the same where each element is a frame of a stack: four integers
  };
  Kind kind = Kind::kLeb;
  uint8_t width = 0;
  uint32_t numbers = 0;  // the first of its streams of numbers
  uint32_t bytes = 0;    // kText
  std::vector<Step> inner;
};

struct Shape {
  std::vector<Step> steps;
  std::vector<ColumnCopy> copies;  // the same for one without texts and arrays, if it is not too long; else empty
  bool known = false;              // false: what has this type stays as it is
};

class Shapes {
 public:
  // Takes streams for all types, in their order.
  Shapes(const read::Metadata& metadata, Streams& streams);

  // By index in types(). Of a constant: the value behind its key.
  const Shape& event(uint32_t type) const { return events_[type]; }
  const Shape& constant(uint32_t type) const { return constants_[type]; }
  uint32_t keys(uint32_t type) const { return keys_[type]; }  // stream of the keys of that type's constants

 private:
  Shape shape_of(const read::Type& type, bool event);
  bool add_fields(const read::Type& type, bool event, int depth, std::vector<Step>& steps);
  bool add_value(const read::Field& field, int depth, std::vector<Step>& steps);
  Step step(Step::Kind kind, uint32_t streams, uint8_t width = 0);

  const read::Metadata& metadata_;
  Streams& streams_;
  std::vector<Shape> events_, constants_;
  std::vector<uint32_t> keys_;
};

}  // namespace jfr::archive
