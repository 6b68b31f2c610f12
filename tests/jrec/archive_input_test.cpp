// SPDX-License-Identifier: Apache-2.0
// Archives as the input of commands: what they say is what they say of the recordings, and nothing is read in vain.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <random>
#include <string>
#include <vector>

#include "format/archive/catalogue.h"
#include "format/reader/mapped_file.h"
#include "jrec/archive/archive_add.h"
#include "jrec/input/input.h"
#include "jrec/print/print.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/heard.h"
#include "tests/text.h"

namespace {

using namespace jrec;
using test::Bytes;
using test::has;
using test::RecordingBuilder;
using test::Said;
using test::Workplace;

constexpr int64_t kFirst_ns = 1'700'000'000'000'000'000, kSecond_ns = 1'000'000'000, kStart_ticks = 60 * kSecond_ns;

void put(Bytes& bytes, size_t at, int64_t value) {
  for (int i = 7; i >= 0; --i, value >>= 8) bytes[at + static_cast<size_t>(i)] = static_cast<uint8_t>(value);
}

// A chunk of two seconds that begins `second` after the first, with a text in its middle, and one that began `early` before it.
Bytes chunk_at(int second, int early_s = 0) {
  RecordingBuilder builder;
  if (early_s != 0) builder.text(kStart_ticks - early_s * kSecond_ns, "early of " + std::to_string(second));
  builder.text(kStart_ticks + kSecond_ns, "second " + std::to_string(second));
  Bytes bytes = builder.bytes();
  put(bytes, 32, kFirst_ns + second * kSecond_ns);
  put(bytes, 48, kStart_ticks);
  return bytes;
}

Said printed(const Workplace& place, const std::string& file, const std::string& from = "",
             const std::string& to = "") {
  PrintOptions options;
  options.files = {place.path(file)};
  options.filter.from = from;
  options.filter.to = to;
  return place.run(run_print, options);
}

// Three members, and all.jfr with the same chunks.
void fill(const Workplace& place) {
  const Bytes chunks[] = {chunk_at(0), chunk_at(10), chunk_at(20, 15)};
  Bytes all;
  ArchiveAddOptions options;
  options.archive = place.path("a.recz");
  for (size_t i = 0; i < std::size(chunks); ++i) {
    all.insert(all.end(), chunks[i].begin(), chunks[i].end());
    options.files.push_back(place.write((i == 1 ? "b" : "a") + std::to_string(i) + ".jfr", chunks[i]));
  }
  place.write("all.jfr", all);
  REQUIRE(place.run(run_archive_add, options).code == kDone);
}

void damage(const Workplace& place, const std::string& member) {
  const auto file = jfr::read::MappedFile::open(place.path("a.recz"));
  jfr::read::Problems problems;
  const auto catalogue = jfr::archive::Catalogue::read(file->bytes(), problems);
  Bytes bytes(file->bytes().begin(), file->bytes().end());
  bytes[catalogue->find(member)->parts.front().piece + 50] ^= 1;
  bytes.resize(catalogue->committed);  // without what would mend it
  place.write("a.recz", bytes);
}

}  // namespace

TEST_CASE("archive: all members are one recording, and those that match a pattern are") {
  const Workplace place;
  fill(place);
  CHECK(printed(place, "a.recz").text == printed(place, "all.jfr").text);
  CHECK(printed(place, "a.recz:*").text == printed(place, "all.jfr").text);
  CHECK(printed(place, "a.recz:b1.jfr").text == printed(place, "b1.jfr").text);
  CHECK(printed(place, "a.recz:a?.jfr").text == printed(place, "a0.jfr").text + printed(place, "a2.jfr").text);
  CHECK(printed(place, "a.recz:c*").code == kUsageError);
}

TEST_CASE("archive: members come in the order of their time, whenever they were added") {
  const Workplace place;
  fill(place);
  ArchiveAddOptions options;
  options.archive = place.path("backwards.recz");
  options.files = {place.path("a2.jfr"), place.path("b1.jfr"), place.path("a0.jfr")};
  REQUIRE(place.run(run_archive_add, options).code == kDone);
  CHECK(printed(place, "backwards.recz").text == printed(place, "a.recz").text);
  CHECK(printed(place, "backwards.recz:a*").text == printed(place, "a.recz:a*").text);
  CHECK(printed(place, "backwards.recz", "10s", "12s").text == printed(place, "a.recz", "10s", "12s").text);
}

TEST_CASE("archive: a time of an archive has the events that it has in the recordings") {
  const Workplace place;
  fill(place);
  const char* ranges[][2] = {{"0", "1500"}, {"10s", "12s"}, {"500", "20500"}, {"-3s", ""},
                             {"", "-3s"},   {"5s", "6s"},   {"4s", "5s"},     {"7s", "9s"},
                             {"", "5001"},  {"30s", "40s"}, {"5s", ""},       {"22:13:31", "22:13:32"}};
  for (const auto& range : ranges) {
    const char *const from = range[0], *const to = range[1];
    const Said of_archive = printed(place, "a.recz", from, to), of_file = printed(place, "all.jfr", from, to);
    CHECK_MESSAGE(of_archive.text == of_file.text, from << " to " << to);
    CHECK_MESSAGE(of_archive.code == of_file.code, from << " to " << to);
  }
  CHECK(has(printed(place, "a.recz", "5s", "6s").text, "early of 20"));
  CHECK(printed(place, "a.recz", "2s", "1s").code == kUsageError);
  CHECK(printed(place, "a.recz", "noon").code == kUsageError);
}

TEST_CASE("archive: chunks of another time are not read") {
  const Workplace place;
  fill(place);
  damage(place, "b1.jfr");  // no base
  CHECK(printed(place, "a.recz").code == kDamaged);
  CHECK(printed(place, "a.recz", "0", "2s").code == kDone);
  CHECK(printed(place, "a.recz", "10s", "12s").code == kNothingReadable);  // no other chunk is asked for
  CHECK(printed(place, "a.recz", "-1s").code == kDone);
}

TEST_CASE("archive: a chunk is not read for the time between it and what began long before it") {
  const Workplace place;
  fill(place);
  damage(place, "a2.jfr");  // of second 20, with one that began at 5
  CHECK(printed(place, "a.recz", "10s", "12s").code == kDone);
  CHECK(printed(place, "a.recz", "5s", "6s").code == kNothingReadable);
  CHECK(printed(place, "a.recz", "6s", "7s").code == kDone);
  CHECK(printed(place, "a.recz", "20s", "22s").code == kNothingReadable);
}

TEST_CASE("archive: no event of a time is missed, wherever its chunk is") {
  const Workplace place;
  std::mt19937 random(7);
  Bytes all;
  ArchiveAddOptions options;
  options.archive = place.path("a.recz");
  for (int chunk = 0; chunk < 12; ++chunk) {
    RecordingBuilder builder;
    // More of them than a chunk has runs, now and then.
    for (int i = chunk % 4 == 3 ? 300 : 3; i > 0; --i)
      builder.text(kStart_ticks - static_cast<int64_t>(random() % 600) * kSecond_ns / 10, "early " + std::to_string(i));
    builder.text(kStart_ticks + kSecond_ns, "of chunk " + std::to_string(chunk));
    Bytes bytes = builder.bytes();
    put(bytes, 32, kFirst_ns + 5 * chunk * kSecond_ns);
    put(bytes, 48, kStart_ticks);
    all.insert(all.end(), bytes.begin(), bytes.end());
    options.files.push_back(place.write("m" + std::to_string(chunk) + ".jfr", bytes));
  }
  place.write("all.jfr", all);
  REQUIRE(place.run(run_archive_add, options).code == kDone);
  for (int i = 0; i < 60; ++i) {
    const int from = static_cast<int>(random() % 1'200);
    const auto time = [](int tenths) {
      return "2023-11-14T22:" + fmt::format("{:02}:{:02}.{}Z", 12 + tenths / 600, tenths / 10 % 60, tenths % 10);
    };
    const std::string first = time(from), last = time(from + 1 + static_cast<int>(random() % 30));
    CHECK_MESSAGE(printed(place, "a.recz", first, last).text == printed(place, "all.jfr", first, last).text,
                  first << " to " << last);
  }
}

TEST_CASE("archive: a chunk is restored when it is read, and belongs to who reads it") {
  const Workplace place;
  fill(place);
  jfr::read::Problems problems;
  const auto input = Input::open(place.path("a.recz"), problems);
  REQUIRE(input);
  Input& archive = **input;
  REQUIRE(archive.stretches() == 3);
  CHECK(archive.restores());
  const auto second = archive.read(1);
  REQUIRE(second);
  CHECK(Bytes(second->bytes.begin(), second->bytes.end()) == chunk_at(10));
  CHECK(second->offset == chunk_at(0).size());
  CHECK(second->owner.use_count() == 1);
  CHECK(archive.size() == chunk_at(0).size() + chunk_at(10).size() + chunk_at(20, 15).size());
  CHECK(archive.outline(1).start_ns == kFirst_ns + 10 * kSecond_ns);
}

TEST_CASE("archive: what is read in advance is kept for the reading, and no longer") {
  const Workplace place;
  fill(place);
  jfr::read::Problems problems;
  const auto input = Input::open(place.path("a.recz"), problems);
  REQUIRE(input);
  (*input)->read_again_later(true);
  const auto before = (*input)->read(0)->owner;
  (*input)->read_again_later(false);
  CHECK((*input)->read(0)->owner == before);
  CHECK(before.use_count() == 1);
  CHECK((*input)->read(0)->owner != before);
}

TEST_CASE("archive: a damaged part of a member costs its chunk, at its place in the recording's order") {
  const Workplace place;
  fill(place);
  damage(place, "b1.jfr");
  const Said said = printed(place, "a.recz");
  CHECK(said.code == kDamaged);
  CHECK(has(said.text, "second 0"));
  CHECK(!has(said.text, "second 10"));
  CHECK(has(said.text, "second 20"));
}

TEST_CASE("damage: what is damaged in an archive is told by its member and the offset in it") {
  const Workplace place;
  fill(place);
  const Bytes whole = chunk_at(40);
  Bytes cut = whole;
  cut.insert(cut.end(), whole.begin(), whole.end() - 10);
  ArchiveAddOptions options;
  options.archive = place.path("a.recz");
  options.files = {place.write("cut.jfr", cut)};
  REQUIRE(place.run(run_archive_add, options).code == kDone);
  const std::string archive = place.path("a.recz");
  const auto told_of = [&](const std::vector<std::string>& inputs) {
    std::vector<std::string> words{"print"};
    words.insert(words.end(), inputs.begin(), inputs.end());
    return hear(place, words).err;
  };
  const std::string where = fmt::format("a.recz:cut.jfr: at {:#x}: ", whole.size());
  CHECK(has(told_of({archive}), where));
  CHECK(has(told_of({archive + ":cut.jfr"}), where));
  CHECK(has(told_of({place.path("a0.jfr"), archive}), where));
  damage(place, "b1.jfr");
  const std::string told = told_of({archive});
  CHECK_MESSAGE(has(told, "a.recz:b1.jfr: at 0x0: its piece at 0x"), told);
}

TEST_CASE("archive: no more is restored than may be unpacked") {
  const Workplace place;
  fill(place);
  const InputLimits before = input_limits();
  input_limits().unpacked_bytes = chunk_at(0).size() + 10;
  const Said said = printed(place, "a.recz");
  input_limits() = before;
  CHECK(said.code == kDamaged);
  CHECK(said.text == printed(place, "a0.jfr").text);
}

TEST_CASE("damage: an archive without a complete commit says so, and what takes the members that are left") {
  const Workplace place;
  fill(place);
  const std::string whole = place.read("a.recz");
  const std::string cut =
      place.write("cut.recz", Bytes(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(whole.size() / 2)));
  for (const std::string& file : {cut, cut + ":a0.jfr"}) {
    const test::Heard heard = test::hear(place, {"print", file});
    CHECK(heard.code == kDamaged);
    CHECK_MESSAGE(has(heard.err, "has no complete commit, and so no member; jrec archive repair -o NEW takes"),
                  heard.err);
    CHECK_FALSE(has(heard.err, "member *"));
  }
}
