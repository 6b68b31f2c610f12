// SPDX-License-Identifier: Apache-2.0
// Where native frames lie, as pprof and OTLP tell it: by these others join them with their own, and name what has no name.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "jrec/convert/convert.h"
#include "jrec/profile/native_frames.h"
#include "tests/jrec/gunzip.h"
#include "tests/jrec/native_recording.h"

namespace convert_natives_test {

using namespace jrec;
using namespace test;
using protozero::pbf_reader;

std::string converted(NativeRecording recording, const char* format) {
  const Workplace place;
  ConvertOptions command;
  command.files = {recording.write(place)};
  command.format = format;
  return place.run(run_convert, command).text;
}

// A message's fields that are numbers, by field; of packed ones the first.
using Numbers = std::map<uint32_t, uint64_t>;

Numbers numbers_of(pbf_reader message) {
  Numbers numbers;
  while (message.next()) {
    const uint32_t field = message.tag();
    if (message.wire_type() == protozero::pbf_wire_type::varint) {
      numbers[field] = message.get_uint64();
    } else {
      const std::string bytes = message.get_bytes();
      numbers[field] = bytes.empty() ? 0 : static_cast<uint8_t>(bytes[0]);
    }
  }
  return numbers;
}

struct Tables {
  std::vector<Numbers> mappings, locations, functions;
  std::vector<std::string> strings;
};

// mapping, location, function, string: the numbers of these tables.
Tables tables_of(pbf_reader message, uint32_t mapping, uint32_t location, uint32_t function, uint32_t string) {
  Tables tables;
  while (message.next()) {
    if (message.tag() == mapping)
      tables.mappings.push_back(numbers_of(message.get_message()));
    else if (message.tag() == location)
      tables.locations.push_back(numbers_of(message.get_message()));
    else if (message.tag() == function)
      tables.functions.push_back(numbers_of(message.get_message()));
    else if (message.tag() == string)
      tables.strings.push_back(message.get_string());
    else
      message.skip();
  }
  return tables;
}

Tables pprof_of(const NativeRecording& recording) {
  const std::string bytes = gunzip(converted(recording, "pprof"));
  return tables_of(pbf_reader(bytes), 3, 4, 5, 6);
}

const NativeRecording& two_libraries() {
  static NativeRecording recording;
  recording.other = "libother.so";
  return recording;
}

TEST_CASE("pprof has a mapping of each library, and native frames lie in it by the file's addresses") {
  const Tables profile = pprof_of(two_libraries());
  REQUIRE(profile.mappings.size() == 3);
  CHECK(profile.mappings[0] == Numbers{{1, 1}, {7, 1}});  // what is in no library
  const Numbers& library = profile.mappings[1];
  CHECK(library.at(2) == 0x1000);
  CHECK(library.at(3) == 0x9800);
  CHECK(library.at(4) == 0x400);
  CHECK(profile.strings.at(library.at(5)) == "/gone/libwork.so");
  CHECK(profile.strings.at(library.at(6)) == "123456789abcdef0");
  CHECK(profile.strings.at(profile.mappings[2].at(6)) == "ffff");
  std::map<uint64_t, uint64_t> lines;  // by address: how many have a name
  for (const Numbers& location : profile.locations) {
    if (location.at(2) != library.at(1)) continue;
    CHECK(location.at(3) >= library.at(2));
    CHECK(location.at(3) < library.at(3));
    lines[location.at(3)] += location.contains(4);
  }
  // "copies" begins where the function without a symbol does; that and the last one wait for a name.
  CHECK(lines == std::map<uint64_t, uint64_t>{{0x1000, 1}, {0x2004, 1}, {0x9000, 0}});
  CHECK(library.at(7) == 0);  // has_functions
  for (const Numbers& function : profile.functions)
    CHECK(profile.strings.at(function.at(2)).find("+0x") == std::string::npos);
}

TEST_CASE("OTLP has a mapping of each library, with its build id as an attribute") {
  const std::string bytes = converted(two_libraries(), "otlp");
  pbf_reader data(bytes);
  REQUIRE(data.next(2));
  const Tables profile = tables_of(data.get_message(), 1, 2, 3, 5);
  REQUIRE(profile.mappings.size() == 3);
  CHECK(profile.mappings[0].empty());
  const Numbers& library = profile.mappings[1];
  CHECK(library.at(1) == 0x1000);
  CHECK(library.at(2) == 0x9800);
  CHECK(library.at(3) == 0x400);
  CHECK(profile.strings.at(library.at(4)) == "/gone/libwork.so");
  CHECK(library.at(5) != 0);
  CHECK(bytes.find("123456789abcdef0") != std::string::npos);
  const auto& strings = profile.strings;
  CHECK(std::find(strings.begin(), strings.end(), "process.executable.build_id.gnu") != strings.end());
  size_t nameless = 0, placed = 0;
  for (const Numbers& location : profile.locations) {
    if (!location.contains(1)) continue;
    ++placed;
    nameless += !location.contains(3);
  }
  CHECK(placed == 5);
  CHECK(nameless == 3);
}

TEST_CASE("a name that two builds have lies nowhere, and keeps its name") {
  const Tables profile = pprof_of(NativeRecording());
  size_t nowhere = 0;
  for (const Numbers& location : profile.locations)
    if (location.at(2) == 1 && location.contains(4)) ++nowhere;
  CHECK(nowhere == 1);
  const auto& strings = profile.strings;
  CHECK(std::find(strings.begin(), strings.end(), "libwork.so.+0x1000") != strings.end());
}

TEST_CASE("a name that is a place is told from names that end like one") {
  CHECK(is_place_only("libwork.so.+0x1a40"));
  CHECK_FALSE(is_place_only("libwork.so.work"));
  CHECK_FALSE(is_place_only("libwork.so.+0x1a40.part"));
  CHECK_FALSE(is_place_only("app.Main.+"));
  CHECK_FALSE(is_place_only(""));
}

}  // namespace convert_natives_test
