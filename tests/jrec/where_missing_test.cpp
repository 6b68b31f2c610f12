// SPDX-License-Identifier: Apache-2.0
// What --where takes for null: what is shown so.
#include <doctest/doctest.h>

#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "jrec/print/print.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"

using namespace jrec;
using test::Bytes;
using test::RecordingBuilder;
using test::Workplace;
using Ints = std::vector<int>;

namespace {

// When the events began that pass.
Ints where(const Bytes& recording, const std::string& expression) {
  const Workplace place;
  PrintOptions options;
  options.files = {place.write("a.jfr", recording)};
  options.format = PrintFormat::kJsonLines;
  options.filter.where = expression;
  int code = -1;
  const std::string text = place.output_of([&](Output& out) { return run_print(options, out); }, code);
  CHECK(code == kDone);
  Ints starts;
  const std::string key = "\"startTime\":";
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1))
    starts.push_back(std::stoi(text.substr(at + key.size())));
  return starts;
}

}  // namespace

TEST_CASE("--where takes a fraction that is no number for null, as it is shown") {
  using Builder = RecordingBuilder;
  Builder builder({{Builder::kMore,
                    "test.Shares",
                    {{"startTime", Builder::kLong}, {"small", Builder::kFloat}, {"large", Builder::kDouble}}}});
  const auto add = [&](uint8_t at, double share) {
    Bytes event = {at};
    const auto put = [&](uint64_t bits, int bytes) {
      while (bytes-- > 0) event.push_back(static_cast<uint8_t>(bits >> (8 * bytes)));
    };
    put(std::bit_cast<uint32_t>(static_cast<float>(share)), 4);
    put(std::bit_cast<uint64_t>(share), 8);
    builder.other(Builder::kMore, event);
  };
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  add(5, std::numeric_limits<double>::quiet_NaN()), add(6, -kEndless), add(7, kEndless), add(8, 0.5), add(9, 0);
  const Bytes file = builder.bytes();
  for (const std::string field : {"small", "large"}) {
    CHECK(where(file, field + " = null") == Ints{5, 6});
    CHECK(where(file, field + " != null") == Ints{7, 8, 9});
    CHECK(where(file, field + " != 0.5") == Ints{7, 9});
    CHECK(where(file, field + " < 1") == Ints{8, 9});
    CHECK(where(file, field + " > 1") == Ints{7});
    CHECK(where(file, field) == Ints{7, 8});
  }
}
