// SPDX-License-Identifier: Apache-2.0
// The way of a record over its steps, said once for both directions: a Coder is one that checks whether a record can be
// taken apart, one that takes it apart, or one that puts it together.
//
//   uint64_t leb(stream)       an integer that is as short as it can be
//   uint64_t count(stream)     the same, of things that follow: bounded by what there is
//   uint64_t wide(stream, widths), wide_count(stream, widths)
//                              the same, where writers pad: the width goes to a stream too
//   void time(stream)          the start of an event
//   void duration(stream)      an integer: how long it took
//   uint8_t byte(stream)
//   void fixed(stream, width)
//   void text(stream, count)   that many bytes
//   void frames(stream)        the frames of a stack, with their number
//   bool stacks(pool)          a pool of stacks that go by their keys is done with (stack_order.h)
//   bool known(type)           the value of a constant that a lexicon has (known_names.h) is done with
//   void fail(), bool ok()
#pragma once

#include "format/archive/shape.h"

namespace jfr::archive {

// How a string is written (docs/jfr): null, empty, key of a constant, UTF-8, UTF-16 units, Latin-1.
enum class TextCoding : uint8_t { kNull, kEmpty, kConstant, kUtf8, kChars, kLatin1 };

template <typename Coder>
void code_text(Coder& coder, const Step& step) {
  switch (static_cast<TextCoding>(coder.byte(step.numbers))) {
    case TextCoding::kNull:
    case TextCoding::kEmpty: return;
    case TextCoding::kConstant: coder.leb(step.numbers + 1); return;
    case TextCoding::kUtf8:
    case TextCoding::kLatin1: return coder.text(step.bytes, coder.count(step.numbers + 2));
    case TextCoding::kChars: {
      const uint64_t count = coder.count(step.numbers + 2);
      for (uint64_t i = 0; i < count && coder.ok(); ++i) coder.leb(step.numbers + 3);
      return;
    }
  }
  coder.fail();
}

template <typename Coder>
void code(Coder& coder, const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    if (!coder.ok()) return;
    switch (step.kind) {
      case Step::Kind::kLeb: coder.leb(step.numbers); break;
      case Step::Kind::kTime: coder.time(step.numbers); break;
      case Step::Kind::kDuration: coder.duration(step.numbers); break;
      case Step::Kind::kByte: coder.byte(step.numbers); break;
      case Step::Kind::kFixed: coder.fixed(step.numbers, step.width); break;
      case Step::Kind::kText: code_text(coder, step); break;
      case Step::Kind::kFrames: coder.frames(step.numbers); break;
      case Step::Kind::kArray: {
        const uint64_t count = coder.count(step.numbers);
        for (uint64_t i = 0; i < count && coder.ok(); ++i) code(coder, step.inner);
        break;
      }
    }
  }
}

}  // namespace jfr::archive
