// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/plain_frames.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "base/leb128.h"

namespace jrec {
namespace {

using jfr::read::Cursor;

// Where a cursor that reads one integer after the other stands behind them.
size_t size_one_by_one(const std::vector<uint8_t>& bytes, unsigned integers) {
  Cursor in(bytes, 0);
  for (unsigned i = 0; i < integers; ++i) in.leb();
  return in.ok() ? in.at() : 0;
}

std::vector<uint8_t> random_integers(std::mt19937_64& random) {
  std::vector<uint8_t> bytes;
  while (bytes.size() < 16) base::append_leb(random() >> random() % 64, bytes);
  bytes.resize(bytes.size() + random() % 9, 0x85);
  return bytes;
}

TEST_CASE("a frame's bytes end where its integers do, whatever they are") {
  std::mt19937_64 random(7);
  std::vector<PlainFrames> of;
  for (unsigned integers = 1; integers <= PlainFrames::kMostIntegers; ++integers) of.emplace_back(integers);
  unsigned found = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::vector<uint8_t> bytes = random_integers(random);
    const unsigned integers = 1 + static_cast<unsigned>(random() % PlainFrames::kMostIntegers);
    const PlainFrames::Bytes got = of[integers - 1].bytes_at(Cursor(bytes, 0));
    if (got.size == 0) continue;
    ++found;
    REQUIRE(got.size == size_one_by_one(bytes, integers));
  }
  CHECK(found > 5'000);
}

TEST_CASE("a frame that is near the end, long, or has an integer of nine bytes is left to who reads it") {
  const PlainFrames frames(2);
  const std::vector<uint8_t> cut(15, 1), nine(16, 0xff);
  CHECK(frames.bytes_at(Cursor(cut, 0)).size == 0);
  CHECK(frames.bytes_at(Cursor(nine, 0)).size == 0);
  std::vector<uint8_t> over{1};  // one byte, then nine of which the last goes on by its mark
  over.resize(9, 0xff);
  over.push_back(0x85);
  over.resize(16, 1);
  CHECK(frames.bytes_at(Cursor(over, 0)).size == 0);
}

TEST_CASE("what is remembered is found by the same bytes alone") {
  PlainFrames frames(4);
  std::mt19937_64 random(8);
  std::vector<std::vector<uint8_t>> all;
  for (uint32_t i = 0; i < 20'000; ++i) {
    std::vector<uint8_t> bytes;
    base::append_leb(1 + i, bytes);
    for (int field = 0; field < 3; ++field) base::append_leb(random() % 300, bytes);
    bytes.resize(bytes.size() + 16, static_cast<uint8_t>(random()));
    frames.enter(frames.bytes_at(Cursor(bytes, 0)), {i, FrameKind::kInlined});
    all.push_back(std::move(bytes));
  }
  unsigned known = 0;
  for (uint32_t i = 0; i < all.size(); ++i)
    if (const StackTree::Frame* const frame = frames.find(frames.bytes_at(Cursor(all[i], 0)))) {
      ++known;
      REQUIRE(frame->name == i);
    }
  CHECK(known > 2'000);
  CHECK(PlainFrames(1).find({0, 0, 1}) == nullptr);  // a frame of zeros, in an empty table
}

}  // namespace
}  // namespace jrec
