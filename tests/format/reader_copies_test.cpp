// SPDX-License-Identifier: Apache-2.0
// The JDK ends each flush with a checkpoint that holds a copy of the chunk's header. Where a chunk has to be looked for,
// such a copy begins none.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "format/reader/plausible_chunk.h"
#include "tests/format/reader_builder.h"
#include "tests/format/reader_reading.h"

using test::Bytes;
using test::put_be64;
using test::read_texts;
using test::Reading;
using test::RecordingBuilder;
using Names = std::vector<std::string>;

namespace {

constexpr size_t kHeader = 68, kHolder = 95, kFront = kHolder - kHeader;

// A checkpoint as the JDK writes it: a pool of one array of 68 bytes, which are yet to be filled.
Bytes holder() {
  Bytes event = {0xdf, 0x80, 0x80, 0x00, 1,    0xbf, 0xb7, 0xe9, 0xed, 0x0f, 0x00, 0xb6, 0x9d,   0xff,
                 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 3,    1,    0xde, 1,    1,    1,    kHeader};
  REQUIRE(event.size() == kFront);
  event.insert(event.end(), {'F', 'L', 'R', 0, 0, 2, 0, 1});
  event.resize(kHolder);
  return event;
}

std::vector<size_t> copies_in(const Bytes& file) {
  const Bytes front = holder();
  std::vector<size_t> copies;
  for (auto at = file.begin();; ++at) {
    at = std::search(at, file.end(), front.begin(), front.begin() + kFront);
    if (at == file.end()) return copies;
    copies.push_back(static_cast<size_t>(at - file.begin()) + kFront);
  }
}

// A chunk of five texts, with a copy of its header behind each of the first four. Behind these there is too little of the
// file to look at the metadata that they name.
Bytes chunk_with_copies() {
  RecordingBuilder builder;
  for (const char* text : {"a", "b", "c", "d"}) builder.text(1, text).raw(holder());
  Bytes file = builder.text(2, "e").bytes();
  for (const size_t copy : copies_in(file)) {
    std::copy(file.begin(), file.begin() + kHeader, file.begin() + static_cast<ptrdiff_t>(copy));
    put_be64(file, copy + 8, copy + kHeader);
    put_be64(file, copy + 16, copy - kFront);
    put_be64(file, copy + 24, copy - kFront - 1);
    file[copy + 64] = 2;
  }
  return file;
}

Bytes cut(const Bytes& file, size_t size) { return Bytes(file.begin(), file.begin() + static_cast<ptrdiff_t>(size)); }

}  // namespace

TEST_CASE("damage: copies of its header inside a chunk that is cut begin no chunk") {
  const Bytes whole = chunk_with_copies();
  const std::vector<size_t> copies = copies_in(whole);
  REQUIRE(copies.size() == 4);
  CHECK(read_texts(whole).problem_count == 0);
  for (size_t size = copies[0] - kFront; size < whole.size(); ++size) {
    const Reading reading = read_texts(cut(whole, size));
    CAPTURE(size);
    REQUIRE(reading.chunks == std::vector<uint64_t>{0});
    size_t texts = 1;
    for (const size_t copy : copies) texts += size >= copy + kHeader + holder().size() ? 1 : 0;
    REQUIRE(reading.texts.size() >= std::min<size_t>(texts, 4));
  }
  CHECK(read_texts(cut(whole, whole.size() - 1)).texts == Names{"a", "b", "c", "d", "e"});
}

TEST_CASE("damage: a chunk behind one that is cut is found wherever that was, in a copy of its header too") {
  const Bytes whole = chunk_with_copies();
  const Bytes longer = RecordingBuilder().text(3, std::string(1000, 'x')).text(4, "other").bytes();
  REQUIRE(longer.size() > whole.size());  // else the size that is claimed fits the file by chance once
  const std::pair<Bytes, std::string> followers[] = {{longer, "other"}, {whole, "e"}};
  for (const auto& [next, last_text] : followers)
    for (size_t size = kHeader; size < whole.size(); ++size) {
      Bytes file = cut(whole, size);
      file.insert(file.end(), next.begin(), next.end());
      const Reading reading = read_texts(file);
      CAPTURE(size);
      REQUIRE(reading.chunks == std::vector<uint64_t>{0, size});
      REQUIRE(reading.texts.back() == last_text);
    }
}

TEST_CASE("damage: copies of a header begin no chunk where that header, or what is behind its chunk, is damaged") {
  Bytes headless = chunk_with_copies();
  headless[0] = 'X';
  const Reading none = read_texts(headless);
  CHECK(none.chunks.empty());
  CHECK(none.problem_count == 1);
  Bytes tailed = chunk_with_copies();
  tailed.insert(tailed.end(), 40, 0xee);
  const Reading all = read_texts(tailed);
  CHECK(all.chunks.size() == 1);
  CHECK(all.texts == Names{"a", "b", "c", "d", "e"});
  CHECK(all.problem_count == 1);
}

TEST_CASE("damage: a copy with numbers that cannot be is no copy, and asks for nothing outside the file") {
  const Bytes whole = chunk_with_copies();
  const size_t copy = copies_in(whole)[0];
  CHECK(jfr::read::is_header_copy(whole, copy));
  for (const size_t field : {8, 16})
    for (const uint64_t claim : {uint64_t{0}, uint64_t{1}, uint64_t{copy}, uint64_t{1} << 40, ~uint64_t{0}}) {
      Bytes bent = whole;
      put_be64(bent, copy + field, claim);
      CHECK_FALSE(jfr::read::is_header_copy(bent, copy));
    }
  CHECK_FALSE(jfr::read::is_header_copy(whole, 0));
  CHECK_FALSE(jfr::read::is_header_copy(cut(whole, copy + kHeader - 1), copy));
}
