// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "tests/format/reader_builder.h"
#include "tests/format/reader_reading.h"
#include "tests/thin.h"

using test::Bytes;
using test::put_be64;
using test::read_texts;
using test::Reading;
using test::RecordingBuilder;
using Names = std::vector<std::string>;

namespace {

bool is_prefix(const Names& part, const Names& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

struct ThreeChunks {
  Bytes bytes;
  size_t second, third;
};

ThreeChunks three_chunks() {
  RecordingBuilder builder;
  ThreeChunks file;
  builder.simple_stack(1, "A", "a").text(1, "first").next_chunk();
  file.second = builder.chunk_start();
  builder.simple_stack(2, "B", "b").text(2, "second").flush().text(3, "second too").next_chunk();
  file.third = builder.chunk_start();
  file.bytes = builder.simple_stack(3, "C", "c").text(4, "third").bytes();
  return file;
}

}  // namespace

TEST_CASE("damage: a recording cut at any byte yields the events before the cut") {
  const Bytes whole = RecordingBuilder()
                          .text(1, "a")
                          .simple_stack(1, "A", "a")
                          .flush()
                          .text(2, "b")
                          .next_chunk()
                          .text(3, "c")
                          .text(4, "d")
                          .bytes();
  const Names all = read_texts(whole).texts;
  REQUIRE(all == Names{"a", "b", "c", "d"});
  size_t most = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    const Reading reading = read_texts(Bytes(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)));
    REQUIRE(is_prefix(reading.texts, all));
    REQUIRE(reading.texts.size() >= most);
    most = reading.texts.size();
  }
  CHECK(most == all.size());  // only the last checkpoint is missing
}

TEST_CASE("damage: a cut chunk is noted as such") {
  Bytes file = RecordingBuilder().text(1, "a").bytes();
  file.resize(file.size() - 1);
  const Reading reading = read_texts(file);
  CHECK(reading.texts == Names{"a"});
  REQUIRE_FALSE(reading.problems.empty());
  CHECK(reading.problems[0].find("are there") != std::string::npos);
}

TEST_CASE("damage: a chunk whose magic is overwritten is passed over, and its neighbours are read") {
  ThreeChunks file = three_chunks();
  file.bytes[file.second] = 'X';
  const Reading reading = read_texts(file.bytes);
  CHECK(reading.texts == Names{"first", "third"});
  CHECK(reading.problem_count == 1);
}

TEST_CASE("damage: a chunk that claims no size, or too much, ends where the next begins") {
  for (const uint64_t claim : {uint64_t{0}, uint64_t{67}, uint64_t{1} << 30, ~uint64_t{0}}) {
    ThreeChunks file = three_chunks();
    put_be64(file.bytes, file.second + 8, claim);
    const Reading reading = read_texts(file.bytes);
    CHECK(reading.texts == Names{"first", "second", "second too", "third"});
    CHECK(reading.problem_count >= 1);
  }
}

TEST_CASE("damage: bytes between chunks and behind the last are noted, and no more") {
  ThreeChunks file = three_chunks();
  file.bytes.insert(file.bytes.end(), 100, 0);
  file.bytes.insert(file.bytes.begin() + static_cast<ptrdiff_t>(file.third), 1000, 0xab);
  const Reading reading = read_texts(file.bytes);
  CHECK(reading.texts == Names{"first", "second", "second too", "third"});
  CHECK(reading.problem_count == 2);
}

TEST_CASE("damage: a file that comes in stretches has the chunks, and the problems, of the whole file") {
  ThreeChunks file = three_chunks();
  const Bytes junk(100, 0xee);
  file.bytes.insert(file.bytes.begin() + static_cast<ptrdiff_t>(file.second), junk.begin(), junk.end());
  for (const bool unfinished : {false, true}) {
    if (unfinished) file.bytes[64] = 1;  // of the first chunk: what is behind it is a segment in flight
    jfr::read::Problems problems, of_whole;
    jfr::read::ChunkScanner scanner(problems), whole(file.bytes, of_whole);
    std::vector<uint64_t> chunks;
    const size_t ends[] = {0, file.second, file.second + 100, file.third + 100, file.bytes.size()};
    for (size_t i = 0; i + 1 < std::size(ends); ++i) {
      scanner.go_on(std::span(file.bytes).subspan(ends[i], ends[i + 1] - ends[i]), ends[i], false);
      while (const auto extent = scanner.next()) chunks.push_back(extent->offset);
    }
    CHECK(chunks == std::vector<uint64_t>{0, file.second + 100, file.third + 100});
    while (whole.next()) {
    }
    REQUIRE(problems.count() == of_whole.count());
    CHECK(problems.count() == (unfinished ? 0 : 1));
    for (size_t i = 0; i < problems.kept().size(); ++i) {
      CHECK(problems.kept()[i].what == of_whole.kept()[i].what);
      CHECK(problems.kept()[i].offset == of_whole.kept()[i].offset);
    }
  }
}

TEST_CASE("damage: an event of size 0 ends the walk only up to the next checkpoint") {
  const auto reading =
      read_texts(RecordingBuilder().text(1, "a").raw({0, 0, 0}).text(2, "lost").flush().text(3, "b").bytes());
  CHECK(reading.texts == Names{"a", "b"});
  CHECK(reading.problem_count == 1);
}

TEST_CASE("damage: metadata that is overwritten leaves the other chunks readable") {
  ThreeChunks file = three_chunks();
  std::memset(file.bytes.data() + file.second + 68 + 6, 0xff, 60);
  const Reading reading = read_texts(file.bytes);
  CHECK(reading.texts == Names{"first", "third"});
  CHECK(reading.problem_count >= 1);
}

TEST_CASE("damage: a checkpoint chain that runs in circles ends") {
  Bytes file = RecordingBuilder().symbol(1, "x").flush().text(1, "a").symbol(2, "y").bytes();
  // The last checkpoint's delta: behind size, type, start and duration, one byte each.
  size_t last = 0;
  for (size_t i = 0; i < 8; ++i) last = last << 8 | file[16 + i];
  for (const uint8_t delta : {uint8_t{1}, uint8_t{0x7f}}) {
    Bytes bent = file;
    bent[last + 4] = delta;
    CHECK(read_texts(bent).texts == Names{"a"});
  }
  Bytes outside = file;
  put_be64(outside, 16, outside.size() + 5);
  CHECK(read_texts(outside).texts == Names{"a"});
}

TEST_CASE("damage: no single changed byte makes the reader fail or invent chunks") {
  const ThreeChunks file = three_chunks();
  for (size_t at = 0; at < file.bytes.size(); at += ::test::kThin) {
    for (const uint8_t value : {uint8_t{0x00}, uint8_t{0xff}, static_cast<uint8_t>(file.bytes[at] ^ 0x80)}) {
      Bytes bent = file.bytes;
      bent[at] = value;
      const Reading reading = read_texts(bent);
      REQUIRE(reading.chunks.size() <= 3);
      // The chunks that were not touched are read.
      const auto has = [&](const char* text) {
        return std::find(reading.texts.begin(), reading.texts.end(), text) != reading.texts.end();
      };
      CAPTURE(at);
      CAPTURE(int{value});
      if (at >= file.second) REQUIRE(has("first"));
      if (at < file.second || at >= file.third) REQUIRE(has("second too"));
      if (at < file.third) REQUIRE(has("third"));
    }
  }
}

TEST_CASE("damage: what is no recording has no chunks and says so") {
  CHECK(read_texts({}).chunks.empty());
  const Reading noise = read_texts(Bytes(1000, 'F'));
  CHECK(noise.chunks.empty());
  CHECK(noise.problems == Names{"not a flight recording"});
  const Reading zipped = read_texts({0x1f, 0x8b, 8, 0, 0, 0});
  CHECK(zipped.problems == Names{"is compressed with gzip; decompress it first"});
  Bytes old = RecordingBuilder().bytes();
  old[5] = 0;
  old[7] = 9;
  const Reading nine = read_texts(old);
  CHECK(nine.chunks.empty());
  REQUIRE(nine.problem_count == 1);
  CHECK(nine.problems[0].find("version 0.9") != std::string::npos);
}
