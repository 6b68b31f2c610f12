// SPDX-License-Identifier: Apache-2.0
// Several recordings named to one command are one, and what more than one of them has is there once.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "format/archive/catalogue.h"
#include "format/reader/chunk_header.h"
#include "format/reader/mapped_file.h"
#include "jrec/base/exit_code.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace jrec;
using namespace test;

namespace {

using Words = std::vector<std::string>;

constexpr int64_t kSecond_ns = 1'000'000'000, kFirst_ns = 1'700'000'000 * kSecond_ns;

Bytes in_second(int second, Bytes chunk) {
  int64_t start_ns = kFirst_ns + second * kSecond_ns;
  for (size_t at = 40; at > 32; start_ns >>= 8) chunk[--at] = static_cast<uint8_t>(start_ns);
  return chunk;
}

// So many samples of a method, in the second of that number.
Bytes chunk(int second, int samples, const std::string& method) {
  MadeEvents made;
  made.seconds(1).samples(samples, {method, "app.Main.main"});
  return in_second(second, made.bytes());
}

Bytes operator+(Bytes front, const Bytes& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

Bytes first() { return chunk(0, 3, "app.Main.first"); }
Bytes second() { return chunk(1, 4, "app.Main.second"); }
Bytes third() { return chunk(2, 5, "app.Main.third"); }

// Dumps of one JVM, each from its start on.
struct Dumps {
  Workplace place;
  std::string one = place.write("one.jfr", first()), two = place.write("two.jfr", first() + second()),
              three = place.write("three.jfr", first() + second() + third());
};

std::string out_of(const Workplace& place, const Words& words) {
  const Heard heard = hear(place, words);
  CHECK_MESSAGE(heard.code == kDone, heard.err);
  return heard.out;
}

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::ranges::sort(lines);
  return lines;
}

// Of the first chunk, which is damaged.
std::string damaged_archive(const Dumps& dumps) {
  const std::string archive = dumps.place.path("a.recz");
  CHECK(hear(dumps.place, {"archive", "add", "-q", archive, dumps.one}).code == kDone);
  const auto file = jfr::read::MappedFile::open(archive);
  jfr::read::Problems problems;
  const auto catalogue = jfr::archive::Catalogue::read(file->bytes(), problems);
  Bytes bytes(file->bytes().begin(), file->bytes().end());
  bytes[catalogue->find("one.jfr")->parts.front().piece + 50] ^= 1;
  bytes.resize(catalogue->committed);  // without what would mend it
  return dumps.place.write("a.recz", bytes);
}

}  // namespace

TEST_CASE("whoever reads one recording reads several, the earliest first, whichever is named first") {
  const Workplace place;
  const std::string a = place.write("a.jfr", first()), b = place.write("b.jfr", second()),
                    both = place.write("both.jfr", first() + second());
  for (const Words& command : {Words{"hot"}, Words{"collapsed"}, Words{"flame", "--text"}, Words{"summary"},
                               Words{"summary", "--json"}, Words{"print"}, Words{"print", "--json"}, Words{"metadata"},
                               Words{"convert", "-f", "collapsed"}, Words{"view", "hot-methods"}, Words{"view"},
                               Words{"view", "hot-methods", "jdk.ExecutionSample"}, Words{"safepoints"}}) {
    const auto of = [&](const Words& files) {
      Words words = command;
      words.insert(words.end(), files.begin(), files.end());
      return hear(place, words);
    };
    INFO(command.front());
    CHECK(of({a, b}).out == of({both}).out);
    CHECK(of({b, a}).out == of({both}).out);
    CHECK(of({a, b}).err == of({both}).err);
    CHECK(of({a, place.path("missing.jfr")}).code == kUsageError);
    CHECK(has(of({a, place.path("missing.jfr")}).err, "/missing.jfr: cannot open"));
  }
  CHECK(out_of(place, {"flame", a, b}).find("<title>a.jfr and 1 more") != std::string::npos);
  CHECK(out_of(place, {"heatmap", a, b}).find("app.Main.second") != std::string::npos);
  CHECK(out_of(place, {"flame", "--diff", a, b, both}).find("app.Main.second") != std::string::npos);
}

TEST_CASE(
    "views come first, recordings behind them, and a file that is called as a view is meant as the last word only") {
  const Workplace place;
  const std::string a = place.write("a.jfr", first()), b = place.write("b.jfr", second()),
                    gc = place.write("gc", third());
  CHECK(has(out_of(place, {"view", "hot-methods", a, b, gc}), "app.Main.third"));
  CHECK(has(hear(place, {"view", "nonsense", a, b}).err, "no view and no event type 'nonsense'"));
}

TEST_CASE("a chunk that several of the files have is taken once, and that is said") {
  const Dumps dumps;
  for (const Words& command :
       {Words{"hot"}, Words{"collapsed"}, Words{"summary"}, Words{"print"}, Words{"view", "hot-methods"}}) {
    Words words = command, alone = command;
    words.insert(words.end(), {dumps.two, dumps.three, dumps.one});
    alone.push_back(dumps.three);
    INFO(command.front());
    const Heard heard = hear(dumps.place, words);
    CHECK(heard.out == out_of(dumps.place, alone));
    CHECK_MESSAGE(has(heard.err, "3 chunks stand in several of the files, as in dumps that overlap: taken once"),
                  heard.err);
  }
  CHECK(hear(dumps.place, {"report", "-o", dumps.place.path("p.html"), dumps.one, dumps.two}).code == kDone);
  CHECK(has(hear(dumps.place, {"hot", dumps.one, dumps.one}).out, ": 3 samples"));
  const std::string twice = dumps.place.write("twice.jfr", first() + first());
  CHECK(has(hear(dumps.place, {"hot", twice}).out, ": 6 samples"));
  CHECK(has(hear(dumps.place, {"hot", twice, dumps.one}).out, ": 3 samples"));
  CHECK(has(hear(dumps.place, {"hot", dumps.one, twice}).out, ": 3 samples"));
}

TEST_CASE(
    "a dump's last chunk is that of the dump after it, and of a chunk that was copied while it was written the longest "
    "is taken") {
  const Workplace place;
  Bytes dumped = first(), early = chunk(0, 1, "app.Main.first");
  dumped[67] |= 2;                                // the last
  for (size_t i = 40; i < 48; ++i) early[i] = 0;  // of no length yet
  const std::string whole = place.write("whole.jfr", first() + second()), dump = place.write("dump.jfr", dumped),
                    copy = place.write("copy.jfr", early);
  const std::string once = out_of(place, {"collapsed", whole});
  for (const Words& files :
       {Words{dump, whole}, Words{whole, dump}, Words{copy, whole}, Words{whole, copy}, Words{copy, dump, whole}}) {
    Words words{"collapsed"};
    words.insert(words.end(), files.begin(), files.end());
    CHECK(sorted_lines(out_of(place, words)) == sorted_lines(once));
    const std::string archive = place.path("members.recz");
    Words add{"archive", "add", "-q", archive};
    add.insert(add.end(), files.begin(), files.end());
    CHECK(hear(place, add).code == kDone);
    CHECK(sorted_lines(out_of(place, {"collapsed", archive})) == sorted_lines(once));
    std::filesystem::remove(archive);
  }
}

TEST_CASE("damage: of a chunk that several files have, a damaged copy hides no good one") {
  const Dumps dumps;
  const std::string once = out_of(dumps.place, {"collapsed", dumps.three});
  Bytes spoilt = first();
  spoilt[80] = 0xff, spoilt[81] = 0xff, spoilt[82] = 0x7f;  // an event behind the end
  for (const Bytes& bad : {spoilt, Bytes(100, 'x') + first(), first() + Bytes(100, 'x'), spoilt + second()}) {
    const std::string file = dumps.place.write("bad.jfr", bad);
    for (const Words& words : {Words{"collapsed", file, dumps.three}, Words{"collapsed", dumps.three, file}}) {
      const Heard mapped = hear(dumps.place, words);
      CHECK(mapped.code == kDamaged);
      CHECK_MESSAGE(sorted_lines(mapped.out) == sorted_lines(once), mapped.err);
    }
  }
  const Heard archived = hear(dumps.place, {"collapsed", damaged_archive(dumps), dumps.three});
  CHECK(archived.code == kDamaged);
  CHECK(archived.out == out_of(dumps.place, {"collapsed", dumps.three}));
}

TEST_CASE("members of an archive that overlap are taken once, as files are, and beside files") {
  const Dumps dumps;
  const std::string archive = dumps.place.path("a.recz");
  CHECK(hear(dumps.place, {"archive", "add", "-q", archive, dumps.one, dumps.two, dumps.three}).code == kDone);
  const std::string once = out_of(dumps.place, {"collapsed", dumps.three});
  for (const Words& files : {Words{archive}, Words{archive, dumps.three}, Words{dumps.two, archive + ":three.jfr"}}) {
    Words words{"collapsed"};
    words.insert(words.end(), files.begin(), files.end());
    const Heard heard = hear(dumps.place, words);
    CHECK(heard.out == once);
    CHECK(has(heard.err, "taken once"));
  }
}

TEST_CASE("print shows recordings of two zones by the clock of the first, as times of day have no offset") {
  const Workplace place;
  MadeEvents made;
  made.seconds(1).add("my.Mark", 0, {});
  Bytes later = in_second(5, made.bytes());
  const std::string zone = "3600000", other_zone = "7200000";
  const auto at = std::search(later.begin(), later.end(), zone.begin(), zone.end());
  REQUIRE(at != later.end());
  std::ranges::copy(other_zone, at);
  const std::string first = place.write("first.jfr", in_second(0, made.bytes())),
                    second = place.write("second.jfr", later);
  const std::string text = out_of(place, {"print", first, second});
  CHECK_MESSAGE(has(text, "startTime = 2023-11-14T23:13:20+01:00"), text);
  CHECK_MESSAGE(has(text, "startTime = 2023-11-14T23:13:25+01:00"), text);
  CHECK(has(out_of(place, {"print", second}), "startTime = 2023-11-15T00:13:25+02:00"));
  CHECK(has(out_of(place, {"print", "--json", first, second}), "2023-11-15T00:13:25+02:00"));
}

namespace {

// Its metadata has a time, as all recorders write it.
Bytes with_time_of_metadata(Bytes chunk) {
  const auto header = jfr::read::parse_chunk_header(chunk, 0);
  size_t at = static_cast<size_t>(header->metadata);
  while (chunk[at] >= 0x80) ++at;
  chunk[at + 2] = 7;  // behind the size and the type
  return chunk;
}

}  // namespace

TEST_CASE("cuts of a recording whose times overlap are told of, and others are not") {
  const Workplace place;
  MadeEvents made;
  made.seconds(10).add("jdk.CPULoad", 1000, {{"x", made::whole(1)}}).add("jdk.CPULoad", 5000, {{"x", made::whole(2)}});
  const std::string whole = place.write("whole.jfr", with_time_of_metadata(made.bytes()));
  const auto cut = [&](const std::string& name, const std::string& from, const std::string& to) {
    REQUIRE(hear(place, {"cut", whole, "-o", place.path(name), "--from", from, "--to", to}).code == kDone);
    return place.path(name);
  };
  const auto heard = [&](const std::string& one, const std::string& other) {
    const Heard both = hear(place, {"summary", one, other});
    CHECK(both.code == kDone);
    return both.err;
  };
  const std::string begin = cut("begin.jfr", "0s", "6s"), end = cut("end.jfr", "4s", "9s"),
                    behind = cut("behind.jfr", "6s", "9s"), again = cut("again.jfr", "0s", "6s");
  CHECK(has(heard(begin, end), "2 chunks of the files are parts of the same ones, as in cuts whose times overlap"));
  CHECK(has(heard(end, whole), "parts of the same ones"));
  CHECK_FALSE(has(heard(begin, behind), "parts of the same ones"));
  CHECK_FALSE(has(heard(begin, again), "parts of the same ones"));
}
