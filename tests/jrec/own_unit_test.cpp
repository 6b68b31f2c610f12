// SPDX-License-Identifier: Apache-2.0
// What the weight of a program's own events is of.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "tests/format/reader_builder.h"
#include "tests/jrec/heard.h"
#include "tests/text.h"

using test::Bytes;
using test::has;
using test::hear;
using test::RecordingBuilder;
using test::Workplace;

namespace {

// As @DataAmount declares it: of the unit with the four letters.
Bytes weighed(std::string_view unit) {
  using Builder = RecordingBuilder;
  RecordingBuilder builder({{Builder::kMore,
                             "my.W",
                             {{"startTime", Builder::kLong},
                              {"stackTrace", Builder::kStackTrace, true},
                              {"weight", Builder::kLong, false, false, Builder::kBits}}}});
  builder.frame_type(1, "JIT compiled").simple_stack(1, "a/B", "c");
  for (int i = 0; i < 5; ++i) {
    Bytes event;
    for (const uint64_t value : {uint64_t{1}, uint64_t{1}, uint64_t{1} << 20}) Builder::leb(event, value);
    builder.other(Builder::kMore, event);
  }
  Bytes bytes = builder.bytes();
  constexpr std::string_view kDeclared = "BITS";
  const auto at = std::search(bytes.begin(), bytes.end(), kDeclared.begin(), kDeclared.end());
  REQUIRE(at != bytes.end());
  std::copy(unit.begin(), unit.end(), at);
  return bytes;
}

TEST_CASE("hot: the weight of a program's own events is of bytes where its field says so") {
  const Workplace place;
  const std::string bytes = place.write("a.jfr", weighed("BYTE")), bits = place.write("b.jfr", weighed("BITS"));
  CHECK(has(hear(place, {"hot", bytes, "-e", "my.W"}).out, "my.W: 5.0 MB in 5 events\n"));
  CHECK(has(hear(place, {"hot", bytes, "-e", "my.W", "--samples"}).out, "my.W: 5 samples\n"));
  CHECK(has(hear(place, {"flame", "--text", bytes, "-e", "my.W"}).out, "my.W: 5.0 MB\n"));
  CHECK(has(hear(place, {"hot", bits, "-e", "my.W"}).out, "my.W: 5242880 samples in 5 events\n"));
}

}  // namespace
