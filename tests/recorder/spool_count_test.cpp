// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "recorder/spool/loss.h"
#include "recorder/spool/spool_layout.h"

namespace rec::test {
namespace {

// It counts what a killed process left, by numbers of its own, in a test that takes a JVM and minutes.
TEST_CASE("golden: fixtures/SpoolCount.java reads spools of this version") {
  std::ifstream file(std::string(REC_SOURCE_ROOT) + "/fixtures/SpoolCount.java");
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  const auto has = [&](const char* name, size_t number) {
    return source.find(std::string(" ") + name + " = " + std::to_string(number) + ";") != std::string::npos;
  };
  CHECK(has("VERSION", kSpoolVersion));
  CHECK(has("LOSSES", kLossCount));
  CHECK(has("NOTES", kNoteCount));
}

}  // namespace
}  // namespace rec::test
