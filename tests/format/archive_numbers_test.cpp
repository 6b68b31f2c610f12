// SPDX-License-Identifier: Apache-2.0
// Columns of numbers: how they are coded, what tells which way is best, and records that are copied to them and back.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "format/archive/byte_sketch.h"
#include "format/archive/modelled_numbers.h"
#include "format/archive/number_codec.h"
#include "format/archive/number_steps.h"
#include "format/archive/record_copy.h"
#include "format/archive/scaled_numbers.h"
#include "format/archive/text_order.h"

namespace jfr::archive::test {
namespace {

using Content = std::vector<uint8_t>;
using Numbers = std::vector<uint64_t>;
using Kind = ColumnCopy::Kind;

Numbers made(size_t count, auto number) {
  Numbers numbers;
  for (size_t i = 0; i < count; ++i) numbers.push_back(number(i));
  return numbers;
}

constexpr ColumnCopy kCopies[] = {{Kind::kTime, 0, 0}, {Kind::kLeb, 0, 1}, {Kind::kFixed, 1, 2}, {Kind::kFixed, 4, 3}};

// By a model, and back.
Numbers there_and_back(const Numbers& numbers, NumberCoding coding) {
  ModelledWriter writer;
  writer.put(numbers, coding);
  const Content block = writer.finish();
  ModelledReader reader(block);
  Numbers back;
  CHECK(reader.take(coding, symbol_bits(numbers, coding), numbers.size(), back));
  return back;
}

Streams four_streams() {
  Streams streams;
  for (int i = 0; i < 4; ++i) streams.add_numbers();
  return streams;
}

}  // namespace

TEST_CASE("golden: a number by its scale is a symbol and a rest") {
  const std::pair<uint64_t, Content> known[] = {{0, {0}},
                                                {7, {7}},
                                                {8, {8, 0}},
                                                {1234, {36, 0x69}},
                                                {UINT64_MAX, {251, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f}}};
  for (const auto& [number, bytes] : known) {
    Content out;
    append_scaled(Numbers{number}, out);
    CHECK(out == bytes);
  }
  Content two;
  append_scaled(Numbers{1234, 8, 9, 15}, two);
  CHECK(two == Content{36, 8, 9, 11, 0x69, 0x04});  // eight bits, then 0, 0 and 1
}

TEST_CASE("damage: a rest that is not there, and a symbol that is none, are no number") {
  const Content rest = {0xff};
  BitReader rests(rest);
  uint64_t number = 0;
  CHECK_FALSE(take_scaled(252, rests, number));
  CHECK_FALSE(take_scaled(251, rests, number));
  CHECK(take_scaled(36, rests, number));
  CHECK(number == (0b10'11111111'0));
  CHECK_FALSE(take_scaled(8, rests, number));
  CHECK(take_scaled(3, rests, number));
}

TEST_CASE("a sketch of bytes tells noise from what comes again, and rare bytes from frequent ones") {
  std::mt19937 random(1);
  Content noise, again, seldom;
  for (int i = 0; i < 8'000; ++i) {
    noise.push_back(static_cast<uint8_t>(random()));
    again.push_back(i < 100 ? noise.back() : again[static_cast<size_t>(i) - 100]);
    seldom.push_back(random() % 16 == 0 ? 1 : 0);
  }
  CHECK(packed_bits(noise) > 8'000 * 7.8);
  CHECK(packed_bits(again) < 2'000);
  CHECK(packed_bits(seldom) < 8'000 * 1.5);
  CHECK(packed_bits({}) == 0);
}

TEST_CASE("the coding of a column is that of what it holds") {
  std::mt19937_64 random(1);
  const auto coding = [](const Numbers& numbers) { return best_coding(numbers, {true, false, false}); };
  CHECK(coding(made(500, [](size_t) { return 5; })) == NumberCoding::kConstant);
  CHECK(coding(made(500, [](size_t i) { return 100'000 + 3 * i; })) == NumberCoding::kDeltaLebs);
  const Numbers ids = made(500, [&](size_t) { return random() % 3 * 1'000; });
  CHECK(coding(ids) == NumberCoding::kLebs);
  const Numbers times = made(20'000, [&](size_t) { return random() >> (20 + random() % 40); });
  CHECK(is_modelled(best_coding(times, {true, true, false})));
  CHECK(best_coding(times, {}) < NumberCoding::kScaled);
}

TEST_CASE("numbers come back from each model, the largest and those that come again too") {
  std::mt19937_64 random(4);
  const Numbers samples[] = {
      made(3'000, [&](size_t) { return random() >> random() % 64; }),
      made(300, [&](size_t i) { return i % 7 == 0 ? random() : 0x7f00'0000'0000 + random() % 90; }),
      {0, ~uint64_t{0}, 1, ~uint64_t{0} - 64, 63, 64, 0, ~uint64_t{0} - 65}};
  for (const Numbers& numbers : samples)
    for (auto coding = NumberCoding::kLengthModel; coding < NumberCoding::kCount;
         coding = static_cast<NumberCoding>(static_cast<uint8_t>(coding) + 1)) {
      if (coding == NumberCoding::kSymbolModel) continue;
      if (coding == NumberCoding::kRecentModel && std::ranges::max(numbers) > Recent::kMost) continue;
      CHECK(there_and_back(numbers, coding) == numbers);
    }
}

TEST_CASE("golden: a recent number is its place, and an id that counts up is 0") {
  Recent recent, recent_back;
  Newest newest, newest_back;
  const Numbers numbers = {5, 7, 5, 5, 9, 7}, places = {69, 71, 1, 0, 73, 2};
  const Numbers ids = {1, 2, 3, 2, 4, 9}, distances = {0, 0, 0, 4, 0, 7};
  for (size_t i = 0; i < numbers.size(); ++i) {
    CHECK(recent.code(numbers[i]) == places[i]);
    CHECK(recent_back.number(places[i]) == numbers[i]);
    CHECK(newest.code(ids[i]) == distances[i]);
    CHECK(newest_back.number(distances[i]) == ids[i]);
  }
  CHECK(recent_back.number(40) == 0);  // a place that is none
}

TEST_CASE("the model of a column is that of what it holds") {
  std::mt19937_64 random(5);
  const Numbers thread_ids = made(800, [&](size_t) { return (random() % 9) << 40 | (random() % 9) * 0x9e37'79b9; });
  Numbers few(thread_ids.begin(), thread_ids.begin() + 20);
  const Numbers classes = made(800, [&](size_t) { return few[random() % few.size()]; });
  CHECK(best_model(classes).coding == NumberCoding::kRecentModel);
  uint64_t last = 100'000;
  const Numbers stacks = made(800, [&](size_t) { return random() % 3 == 0 ? last - random() % 2'000 : ++last; });
  CHECK(best_model(stacks).coding == NumberCoding::kNewestModel);
  CHECK(best_model(stacks, false).coding <= NumberCoding::kSymbolModel);
}

TEST_CASE("events that follow one another are told by where the last one ended") {
  EventClock ends, starts, back;
  ends.go_by_ends(true);
  back.go_by_ends(true);
  uint64_t start = 1'000'000, by_ends = 0, by_starts = 0;
  std::mt19937_64 random(6);
  for (int i = 0; i < 100; ++i) {
    const uint64_t duration = 10'000 + random() % 100'000, code = ends.code(7, start);
    by_ends += code;
    by_starts += starts.code(7, start);
    CHECK(back.start(7, code) == start);
    for (EventClock* each : {&ends, &starts, &back}) each->lasts(duration);
    start += duration + 5;
    if (i % 10 == 9) start -= 2 * duration;  // of another thread
  }
  CHECK(by_ends * 2 < by_starts);
  for (const uint64_t odd : {~uint64_t{0}, uint64_t{0}, uint64_t{1} << 63}) {
    CHECK(back.start(9, ends.code(9, odd)) == odd);
    for (EventClock* each : {&ends, &back}) each->lasts(~uint64_t{0} - 3);
  }
}

TEST_CASE("a record goes to its columns and comes back") {
  const Content records[] = {{0x85, 0x02, 0x07, 0xfe, 1, 2, 3, 4}, {0x80, 0x02, 0x80, 0x01, 0x00, 0, 0, 0, 9}};
  Streams written = four_streams();
  EventClock clock;
  clock.code(0, 256);
  for (const Content& record : records) REQUIRE(take_record(record, kCopies, written, clock));
  CHECK(written.numbers(0).values == Numbers{zigzag(5), zigzag(0 - uint64_t{5})});
  CHECK(written.numbers(1).values == Numbers{7, 128});
  CHECK(written.numbers(2).values == Numbers{0xfe, 0});
  CHECK(written.numbers(3).values == Numbers{0x01020304, 9});
  const Blocks blocks = written.to_blocks();
  Streams read;
  REQUIRE(read.from_blocks(blocks, 100));
  clock = {};
  clock.code(0, 256);
  for (const Content& record : records) {
    Content back(longest_record(kCopies));
    back.resize(static_cast<size_t>(make_record(kCopies, read, clock, back.data()) - back.data()));
    CHECK(read.ok());
    CHECK(back == record);
  }
  Content more(longest_record(kCopies));
  make_record(kCopies, read, clock, more.data());
  CHECK_FALSE(read.ok());
}

TEST_CASE("damage: a record that would not come back leaves no trace in its columns") {
  const Content odd[] = {{0x85, 0x80, 0x00, 0x07, 0xfe, 1, 2, 3, 4},  // longer than it need be
                         {0x05, 0x07, 0xfe, 1, 2, 3, 4, 5},           // bytes left over
                         {0x05, 0x07, 0xfe, 1, 2, 3},                 // too few
                         {0x85}};
  Streams streams = four_streams();
  EventClock clock;
  for (const Content& record : odd) CHECK_FALSE(take_record(record, kCopies, streams, clock));
  CHECK(clock.code(0, 0) == 0);  // none of them has started
  for (uint32_t i = 0; i < 4; ++i) CHECK(streams.numbers(i).values.empty());
}

TEST_CASE("the order of a hash set is known when it is seen") {
  std::mt19937 random(1);
  std::vector<uint32_t> hashes;
  for (int i = 0; i < 300; ++i) hashes.push_back(static_cast<uint32_t>(random() % 500));
  for (const uint32_t log : {4u, 9u}) {
    const std::vector<uint32_t> order = set_order(hashes, log);
    std::vector<uint32_t> standing;
    for (const uint32_t text : order) standing.push_back(hashes[text]);
    for (uint32_t other = 1; other < 12; ++other)
      CHECK(is_set_order(standing, order, other) == (set_order(hashes, other) == order));
    CHECK(is_set_order(standing, order, log));
  }
}

}  // namespace jfr::archive::test
