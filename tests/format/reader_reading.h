// SPDX-License-Identifier: Apache-2.0
// What the reader's tests ask of a recording, in a word or two.
#pragma once

#include <string>
#include <vector>

#include "format/reader/chunk.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/problems.h"
#include "tests/format/reader_builder.h"

namespace test {

struct Reading {
  std::vector<std::string> texts;  // of the test.Text events, in file order
  std::vector<uint64_t> chunks;    // where they start
  std::vector<std::string> problems;
  size_t problem_count = 0;
};

inline Reading read_texts(const Bytes& file) {
  Reading reading;
  jfr::read::Problems problems;
  jfr::read::ChunkScanner scanner(file, problems);
  while (const auto extent = scanner.next()) {
    reading.chunks.push_back(extent->offset);
    jfr::read::Chunk chunk(file, *extent, problems);
    auto walk = chunk.events();
    for (jfr::read::Event event; walk.next(event);) {
      const jfr::read::Type* type = chunk.type_of(event);
      if (type == nullptr || type->name != "test.Text") continue;
      jfr::read::Cursor in = chunk.field(event, *type, type->field("text"));
      std::string text;
      chunk.append_string(in, text);
      if (in.ok()) reading.texts.push_back(text);
    }
    chunk.constants();
  }
  for (const base::Error& error : problems.kept()) reading.problems.push_back(error.what);
  reading.problem_count = problems.count();
  return reading;
}

}  // namespace test
