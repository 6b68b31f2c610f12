// SPDX-License-Identifier: Apache-2.0
// Bytes that are missing from the middle of a chunk, or stand where others were: what is behind them is found again.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/format/reader_builder.h"
#include "tests/format/reader_reading.h"
#include "tests/text.h"

using test::Bytes;
using test::put_be64;
using test::read_texts;
using test::Reading;
using test::RecordingBuilder;
using Names = std::vector<std::string>;

namespace {

constexpr size_t kCheckpointAt = 16, kMetadataAt = 24;  // in the header

// Flushes of a text each.
Bytes flushes() {
  RecordingBuilder builder;
  for (const char* const text : {"a", "b", "c", "d"}) {
    const auto key = static_cast<uint64_t>(text[0]);
    builder.simple_stack(key, text, "run").text(static_cast<int64_t>(key), text).flush();
  }
  return builder.bytes();
}

size_t place_of_text(const Bytes& file, char text) {
  const Bytes wanted = {3, 1, static_cast<uint8_t>(text)};  // UTF-8, of one byte
  return static_cast<size_t>(std::search(file.begin(), file.end(), wanted.begin(), wanted.end()) - file.begin());
}

// Where the metadata is, is all that is true of the header then.
Bytes without(Bytes file, size_t from, size_t count) {
  const uint64_t metadata = uint64_t{file[kMetadataAt + 6]} << 8 | file[kMetadataAt + 7];
  file.erase(file.begin() + static_cast<ptrdiff_t>(from), file.begin() + static_cast<ptrdiff_t>(from + count));
  put_be64(file, kMetadataAt, metadata - count);
  return file;
}

}  // namespace

TEST_CASE("damage: behind bytes that are missing from a chunk it is read on from the next checkpoint") {
  const Bytes whole = flushes();
  REQUIRE(read_texts(whole).texts == Names{"a", "b", "c", "d"});
  const size_t hole = place_of_text(whole, 'b');
  for (size_t count = 1; count <= 3; ++count) {
    const Reading reading = read_texts(without(whole, hole, count));
    INFO(count << " bytes are missing");
    REQUIRE(reading.texts.size() >= 2);
    CHECK(reading.texts.front() == "a");
    CHECK(reading.texts.back() == "d");
    CHECK(std::any_of(reading.problems.begin(), reading.problems.end(),
                      [](const std::string& what) { return test::has(what, "bytes are passed over"); }));
  }
}

TEST_CASE("damage: what looks like checkpoints, and is none, is not believed and costs little") {
  Bytes file = flushes();
  const size_t from = place_of_text(file, 'b');
  put_be64(file, kCheckpointAt, file.size());
  const Bytes noise(200'000, 1);  // each byte the type of a checkpoint, and the size of one
  file.insert(file.begin() + static_cast<ptrdiff_t>(from), noise.begin(), noise.end());
  const uint64_t metadata = uint64_t{file[kMetadataAt + 6]} << 8 | file[kMetadataAt + 7];
  put_be64(file, kMetadataAt, metadata + noise.size());
  CHECK(read_texts(file).texts.front() == "a");
}
