// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/frame_memo.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/recorder/file_reader.h"
#include "tests/recorder/simulated_vm.h"

namespace rec::test {
namespace {

Frame frame_at(uint32_t unit, uint16_t bci) { return {{unit}, bci, FrameType::kJit, 0}; }

std::vector<uint8_t> known(const FrameMemo& memo, const Frame& frame) {
  const auto bytes = memo.find(frame);
  return {bytes.begin(), bytes.end()};
}

TEST_CASE("what a frame is written as is known until another chunk or epoch begins") {
  const std::vector<uint8_t> one{1, 2, 3}, longest(FrameMemo::kMostBytes, 7);
  FrameMemo memo;
  CHECK(memo.find(frame_at(1, 1)).empty());
  memo.read_from(4);
  memo.enter(frame_at(1, 1), one);
  memo.enter(frame_at(2, 1), longest);
  CHECK(known(memo, frame_at(1, 1)) == one);
  CHECK(known(memo, frame_at(2, 1)) == longest);
  CHECK(memo.find(frame_at(1, 2)).empty());
  memo.read_from(4);
  CHECK(known(memo, frame_at(1, 1)) == one);
  memo.read_from(5);
  CHECK(memo.find(frame_at(1, 1)).empty());
  memo.enter(frame_at(1, 1), one);
  memo.start_over();
  CHECK(memo.find(frame_at(1, 1)).empty());
}

TEST_CASE("of more frames than there are places each is its own or not known") {
  FrameMemo memo;
  const auto bytes_of = [](uint32_t unit) {
    return std::vector<uint8_t>{static_cast<uint8_t>(unit), static_cast<uint8_t>(unit >> 8),
                                static_cast<uint8_t>(unit >> 16)};
  };
  uint32_t kept = 0;
  for (uint32_t unit = 1; unit < 50'000; ++unit) memo.enter(frame_at(unit, 3), bytes_of(unit));
  for (uint32_t unit = 1; unit < 50'000; ++unit) {
    const auto found = known(memo, frame_at(unit, 3));
    const bool right = found.empty() || found == bytes_of(unit);
    CHECK(right);
    kept += !found.empty();
  }
  CHECK(kept > 4'000);
}

// What is tagged first lies in the same place of each epoch's arena.
TEST_CASE("a method that lies where another one did an epoch ago has its own name and line") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  SimulatedThread thread(4);
  SimulatedClass klass;
  for (unsigned round = 0; round < 6; ++round) {
    klass.load(500 + round);
    REQUIRE(sample(thread, klass, round % kMethodsPerClass, 1, 9));
    REQUIRE(engine->rotate().ok());
    klass.unload();
  }
  REQUIRE(engine->stop().ok());
  const ReadFile read = FileReader::read(directory / "recording.jfr");
  CHECK(read.broken == "");
  REQUIRE(read.samples.size() == 6);
  for (unsigned round = 0; round < 6; ++round) {
    const unsigned method = round % kMethodsPerClass;
    CHECK(read.samples[round].frames.at(0).method == "m" + std::to_string(500 + round) + "_" + std::to_string(method));
    CHECK(read.samples[round].frames.at(0).line == 1 + method + 3);
  }
}

}  // namespace
}  // namespace rec::test
