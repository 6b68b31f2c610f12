// SPDX-License-Identifier: Apache-2.0
// Recordings get the names of stripped libraries, from files that are found by build id.
#include <doctest/doctest.h>
#include <lzma.h>

#include <filesystem>

#include "jrec/symbols/symbolize.h"
#include "tests/jrec/elf_builder.h"
#include "tests/jrec/files.h"
#include "tests/jrec/native_recording.h"
#include "tests/thin.h"

namespace symbolize_test {

using namespace jrec;
using namespace test;

const Bytes kBuildId = {0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0};
constexpr const char* kDebugFile = "debug/.build-id/12/3456789abcdef0.debug";

ElfBuilder symbols() {
  return ElfBuilder().build_id(kBuildId).symbols(
      SHT_SYMTAB, {{"_ZN4work5firstEv", 0x1000, 16}, {"_RNvC4work6second", 0x2000, 16}, {"zero", 0x3000, 16}});
}

Bytes packed(const Bytes& bytes) {
  Bytes out(bytes.size() + 1000);
  size_t size = 0;
  REQUIRE(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, nullptr, bytes.data(), bytes.size(), out.data(), &size,
                                  out.size()) == LZMA_OK);
  out.resize(size);
  return out;
}

SymbolizeOptions options_of(const Workplace& place) {
  NativeRecording recording;
  std::filesystem::create_directories(place.path("debug/.build-id/12"));
  SymbolizeOptions options;
  options.file = recording.write(place);
  options.out = place.path("out.jfr");
  options.directories = {place.path("debug")};
  return options;
}

Said symbolized(const Workplace& place, const SymbolizeOptions& options) {
  const Quiet quiet;
  return place.run(run_symbolize, options);
}

constexpr const char* kBefore =
    "libwork.so.+0x1000 2\nlibwork.so.wrong_neighbour 1\nlibwork.so.copies 1\nlibwork.so.+0x9000 1\n";
constexpr const char* kAfter =
    "libwork.so.work::first 1\nlibwork.so.work::second 1\nlibwork.so.+0x1000 1\nlibwork.so.copies "
    "1\nlibwork.so.+0x9000 1\n";

TEST_CASE("symbolize names functions of the build that the file is of, mends wrong names, and leaves all else") {
  const Workplace place;
  const SymbolizeOptions options = options_of(place);
  place.write(kDebugFile, symbols().bytes());
  REQUIRE(collapsed(place, options.file) == kBefore);
  const Said said = symbolized(place, options);
  CHECK(said.code == kDone);
  CHECK(has(said.text, "/gone/libwork.so: 2 of 4 functions have another name now, by " + place.path(kDebugFile)));
  CHECK(has(said.text, "/gone/libwork.so: 0 of 1 functions have another name now; there are no symbols"));
  CHECK(collapsed(place, options.out) == kAfter);
  CHECK(summary_of(place, options.out).code == kDone);
  CHECK(has(verified(place, options.out).text, "no problem"));
  CHECK(verified(place, options.out).code == kDone);
}

TEST_CASE("symbolize changes nothing the second time, and nothing without symbols") {
  const Workplace place;
  SymbolizeOptions options = options_of(place);
  CHECK(symbolized(place, options).code == kDone);
  CHECK(collapsed(place, options.out) == kBefore);
  place.write(kDebugFile, symbols().bytes());
  CHECK(symbolized(place, options).code == kDone);
  options.file = options.out;
  options.out = place.path("twice.jfr");
  const Said said = symbolized(place, options);
  CHECK(has(said.text, ": 0 of 4 functions"));
  CHECK(place.read("twice.jfr") == place.read("out.jfr"));
}

TEST_CASE("symbolize reads files that are given, mini debug info, and the library itself") {
  const Workplace place;
  SymbolizeOptions options = options_of(place);
  options.symbol_files = {place.write("any.so", symbols().bytes())};
  const Said said = symbolized(place, options);
  CHECK(said.code == kDone);
  CHECK_FALSE(has(said.text, "not used"));
  CHECK(collapsed(place, options.out) == kAfter);
  const ElfBuilder stripped =
      ElfBuilder().build_id(kBuildId).symbols(SHT_DYNSYM, {{"wrong_neighbour", 0x1000, 0x2000}});
  options.symbol_files = {place.write("any.so", stripped.bytes())};
  CHECK(symbolized(place, options).code == kDone);
  CHECK(collapsed(place, options.out) == kBefore);
  const Bytes mini = packed(symbols().bytes());
  options.symbol_files = {
      place.write("any.so", ElfBuilder(stripped).section(".gnu_debugdata", SHT_PROGBITS, mini).bytes())};
  CHECK(symbolized(place, options).code == kDone);
  CHECK(collapsed(place, options.out) == kAfter);
}

TEST_CASE("symbolize says of each file that was given and not used why") {
  const Workplace place;
  SymbolizeOptions options = options_of(place);
  const ElfBuilder stripped = ElfBuilder().build_id(kBuildId).symbols(SHT_DYNSYM, {{"wrong_neighbour", 0x1000, 16}});
  options.symbol_files = {place.write("other.so", ElfBuilder().build_id({1, 2, 3, 4}).bytes()),
                          place.write("stripped.so", stripped.bytes()), place.write("whole.so", symbols().bytes()),
                          place.write("again.so", symbols().bytes())};
  const Said said = symbolized(place, options);
  CHECK(said.code == kDone);
  CHECK(has(said.text, "other.so was not used: no function of the recording is of its build, 01020304\n"));
  CHECK(has(said.text, "stripped.so was not used: it has no symbols but those for the dynamic linker\n"));
  CHECK(has(said.text, "again.so was not used: another file of that build was\n"));
  CHECK_FALSE(has(said.text, "whole.so was not used"));
  CHECK(collapsed(place, options.out) == kAfter);
}

TEST_CASE("damage: a file with symbols that is cut is told, and the next one taken") {
  const Workplace place;
  SymbolizeOptions options = options_of(place);
  const Bytes whole = symbols().bytes();
  for (size_t size = 0; size < whole.size(); size += 7) {
    place.write(kDebugFile, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    CHECK(symbolized(place, options).code == kDamaged);
    CHECK(collapsed(place, options.out) == kBefore);
  }
  std::filesystem::create_directories(place.path("more/.build-id/12"));
  place.write("more/.build-id/12/3456789abcdef0.debug", whole);
  options.directories.push_back(place.path("more"));
  CHECK(symbolized(place, options).code == kDamaged);
  CHECK(collapsed(place, options.out) == kAfter);
}

TEST_CASE("damage: a file of another build is not believed, and one that is no file is a usage error") {
  const Workplace place;
  SymbolizeOptions options = options_of(place);
  place.write(kDebugFile, ElfBuilder().build_id({1, 2, 3, 4}).symbols(SHT_SYMTAB, {{"other", 0x1000, 16}}).bytes());
  CHECK(symbolized(place, options).code == kDamaged);
  CHECK(collapsed(place, options.out) == kBefore);
  options.symbol_files = {place.path("not there")};
  CHECK(symbolized(place, options).code == kUsageError);
  options.symbol_files = {place.write("no id", ElfBuilder().bytes())};
  CHECK(symbolized(place, options).code == kUsageError);
}

TEST_CASE("damage: mini debug info with any wrong byte is told, or is read") {
  const Workplace place;
  SymbolizeOptions options = options_of(place);
  const Bytes mini = packed(symbols().bytes());
  for (size_t at = 0; at < mini.size(); at += 3) {
    Bytes wrong = mini;
    wrong[at] ^= 0xff;
    place.write(kDebugFile, ElfBuilder().build_id(kBuildId).section(".gnu_debugdata", SHT_PROGBITS, wrong).bytes());
    const Said said = symbolized(place, options);
    const std::string stacks = collapsed(place, options.out);
    CHECK(((said.code == kDamaged && stacks == kBefore) || (said.code == kDone && stacks == kAfter)));
  }
}

TEST_CASE("damage: any wrong byte in a file with symbols does no harm") {
  const Workplace place;
  const SymbolizeOptions options = options_of(place);
  const Bytes whole = symbols().bytes();
  for (size_t at = 0; at < whole.size(); at += ::test::kThin) {
    Bytes wrong = whole;
    wrong[at] ^= 0xff;
    place.write(kDebugFile, wrong);
    const int code = symbolized(place, options).code;
    CHECK((code == kDone || code == kDamaged));
  }
}

}  // namespace symbolize_test
