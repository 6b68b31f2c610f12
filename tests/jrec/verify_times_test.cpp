// SPDX-License-Identifier: Apache-2.0
// Which times verify calls wrong, and which only look so: a thread that has stood for long began that in front of the chunk.
#include <doctest/doctest.h>

#include <string>

#include "tests/jrec/files.h"
#include "tests/jrec/our_chunk.h"

namespace verify_times_test {

using namespace jrec;
using namespace test;

constexpr int64_t kSecond = 1'000'000'000, kLongBefore = sample::kStart - 8 * kSecond;

// Events of our writer, in a chunk that begins at sample::kStart.
class Told {
 public:
  Told& wall(int64_t start, int64_t length) {
    const size_t at = begin(jfr::TypeId::kWallClockSample, start);
    for (const uint64_t each : {uint64_t{1}, uint64_t{101}, uint64_t{5}, uint64_t{1}}) events_.leb(each);
    events_.leb_i64(length);
    return end(at);
  }
  Told& context(int64_t start) {
    const size_t at = begin(jfr::TypeId::kRecSampleContext, start);
    events_.leb(uint64_t{1});
    for (const char* text : {"4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", "checkout"}) events_.text(text);
    events_.null_text();
    return end(at);
  }
  Told& function(int64_t start) {
    const size_t at = begin(jfr::TypeId::kRecNativeFunction, start);
    for (const uint64_t each : {uint64_t{1}, uint64_t{0x1000}}) events_.leb(each);
    return end(at);
  }

  std::string verdict() const {
    const Workplace place;
    jfr::CheckpointBuilder constants;
    sample::constants(constants, 1);
    auto chunk = jfr::ChunkFile::create(place.path(""), "a.jfr", 64 << 10, {1'700'000'000'000'000'000, sample::kStart});
    REQUIRE(chunk.ok());
    REQUIRE(chunk->append(constants, events_.bytes(), sample::kStart + 2'000'000).ok());
    REQUIRE(chunk->close(sample::kStart + kSecond, false).ok());
    std::string text = verified(place, place.path("a.jfr")).text;
    return text;
  }

 private:
  size_t begin(jfr::TypeId type, int64_t start) {
    const size_t at = events_.reserve_size();
    events_.leb(static_cast<uint64_t>(type));
    events_.leb_i64(start);
    return at;
  }
  Told& end(size_t at) {
    events_.patch_size(at, static_cast<uint32_t>(events_.size() - at));
    return *this;
  }
  jfr::ByteSink events_;
};

size_t early_ones(const std::string& verdict) { return occurrences(verdict, "before the start of the chunk"); }

TEST_CASE("verify takes a wall sample for as long as it lasts, and what says more of it for as old as it is") {
  const std::string verdict =
      Told().context(kLongBefore).wall(kLongBefore, 9 * kSecond).function(kLongBefore).function(kLongBefore).verdict();
  CHECK_MESSAGE(early_ones(verdict) == 0, verdict);
}

TEST_CASE("verify warns of a wall sample that ends in front of the chunk, and of what says more of nothing") {
  CHECK(early_ones(Told().wall(kLongBefore, kSecond).verdict()) == 1);
  CHECK(early_ones(Told().context(kLongBefore).verdict()) == 1);
  CHECK(early_ones(Told().context(kLongBefore).wall(sample::kStart, kSecond).verdict()) == 1);
  CHECK(early_ones(Told().function(kLongBefore).verdict()) == 1);
  CHECK(early_ones(Told().wall(kLongBefore, 9 * kSecond).function(kLongBefore + 1).verdict()) == 1);
  CHECK(early_ones(Told().context(kLongBefore).context(kLongBefore).wall(kLongBefore, kSecond).verdict()) == 2);
  CHECK(Told().wall(sample::kStart, -kSecond).verdict().find("lasts -1000000000 ns") != std::string::npos);
}

}  // namespace verify_times_test
