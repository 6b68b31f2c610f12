// SPDX-License-Identifier: Apache-2.0
// A recording for the tests of jrec.h, and the calls in a word or two.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <utility>

#include "format/c/jrec.h"
#include "tests/format/reader_builder.h"

namespace test {

// Opens bytes, and closes them.
struct CFile {
  explicit CFile(Bytes of) : bytes(std::move(of)) {
    opened = jrec_open_bytes(bytes.data(), bytes.size(), "made.jfr", &file);
  }
  ~CFile() { jrec_close(file); }
  CFile(const CFile&) = delete;
  CFile& operator=(const CFile&) = delete;

  jrec_type* type(const char* name) {
    jrec_type* found = nullptr;
    REQUIRE(jrec_type_named(file, name, &found) == JREC_OK);
    return found;
  }
  jrec_field* field(const char* type_name, const char* path) {
    jrec_field* found = nullptr;
    REQUIRE(jrec_bind(type(type_name), path, &found) == JREC_OK);
    return found;
  }
  std::string error() const { return jrec_error(file); }

  const Bytes bytes;
  jrec_file* file = nullptr;
  jrec_status opened = JREC_MEMORY;
};

inline std::string c_text(jrec_field* field, jrec_status expected = JREC_OK) {
  const char* text = nullptr;
  size_t length = 0;
  CHECK(jrec_text(field, &text, &length) == expected);
  CHECK(length == std::strlen(text));
  return text;
}

inline int64_t c_integer(jrec_field* field, jrec_status expected = JREC_OK) {
  int64_t value = -1;
  CHECK(jrec_int64(field, &value) == expected);
  return value;
}

// "run:7 [x] < main:8 [x]"
inline std::string c_stack(jrec_file* file, uint32_t stack) {
  std::string out;
  jrec_frame frame;
  jrec_status status = JREC_OK;
  for (size_t i = 0; (status = jrec_stack_frame(file, stack, i, &frame)) == JREC_OK; ++i) {
    out += i == 0 ? "" : " < ";
    out += std::string(frame.type) + "." + frame.method + ":" + std::to_string(frame.line) + " [" + frame.kind + "]";
  }
  CHECK(status == JREC_END);
  jrec_frame_numbers last;
  size_t depth = 0, frames = 0;
  CHECK(jrec_stack_size(file, stack, &depth, nullptr) == JREC_OK);
  CHECK(jrec_stack_frames(file, stack, depth - 1, 9, &last, &frames) == JREC_OK);
  CHECK(frames == (depth == 0 ? 0 : 1));
  return out;
}

// test.Shapes: a time, a duration, an unsigned long, a double, a class, a thread, an array, and what a box and a struct hold.
inline RecordingBuilder shapes_builder() {
  using B = RecordingBuilder;
  return B({{B::kMore,
             "test.Shapes",
             {{"startTime", B::kLong, false, false, B::kTimestamp},
              {"duration", B::kLong, false, false, B::kTimespan},
              {"count", B::kInt},
              {"share", B::kDouble},
              {"shown", B::kClass, true},
              {"many", B::kInt, false, true},
              {"where", B::kLink},
              {"flag", B::kBoolean}}}});
}

inline Bytes shapes_fields() {
  Bytes out;
  RecordingBuilder::leb(out, 3000);                       // 2000 ns after the chunk's start
  RecordingBuilder::leb(out, 250);                        // ns
  RecordingBuilder::leb(out, 42);                         // count
  out.insert(out.end(), {0x3f, 0xe0, 0, 0, 0, 0, 0, 0});  // 0.5
  out.insert(out.end(), {1, 2, 5, 6, 0, 9, 1});           // class 1; [5, 6]; a link of 0 and 9; true
  return out;
}

inline Bytes shapes() {
  return shapes_builder()
      .frame_type(1, "Inlined")
      .simple_stack(1, "[Lapp/Main;", "run")
      .sample(1500, 1, 3)
      .other(RecordingBuilder::kMore, shapes_fields())
      .text(1600, "first")
      .next_chunk()
      .frame_type(1, "Inlined")
      .simple_stack(4, "[Lapp/Main;", "run")
      .stack(5, {{4, 7}, {4, 8}}, true)
      .sample(1500, 4)
      .sample(1600, 5)
      .sample(1700, 99)
      .text(1800, "second")
      .bytes();
}

}  // namespace test
