// SPDX-License-Identifier: Apache-2.0
// jrec archive prune, merge, repair and stats: what goes, what stays, and that it stays as it was.
#include <doctest/doctest.h>

#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "format/archive/archive_writer.h"
#include "jrec/archive/archive_add.h"
#include "jrec/archive/archive_commands.h"
#include "jrec/archive/archive_list.h"
#include "jrec/archive/archive_merge.h"
#include "jrec/archive/archive_prune.h"
#include "jrec/archive/archive_restore.h"
#include "jrec/archive/archive_stats.h"
#include "jrec/base/local_path.h"
#include "jrec/base/output_file.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/files.h"
#include "tests/text.h"

namespace {

using namespace jrec;
using test::Bytes;
using test::has;
using test::occurrences;
using test::RecordingBuilder;
using test::Said;
using test::Workplace;

Bytes recording(int samples) {
  RecordingBuilder builder;
  builder.frame_type(1, "JIT compiled").simple_stack(1, "a/B", "c" + std::to_string(samples));
  for (int i = 0; i < samples; ++i) builder.sample(1'000 + 17 * i, 1, 1);
  return builder.bytes();
}

void add(const Workplace& place, const std::string& archive, const std::string& name, int samples,
         std::vector<std::string> labels = {}) {
  ArchiveAddOptions options;
  options.archive = place.path(archive);
  options.files = {place.write(name, recording(samples))};
  options.labels = std::move(labels);
  REQUIRE(place.run(run_archive_add, options).code == kDone);
}

ArchiveAddOptions into_itself(const Workplace& place, const std::string& archive) {
  ArchiveAddOptions options;
  options.archive = place.path(archive);
  options.files = {place.path(archive)};
  return options;
}

std::string members(const Workplace& place, const std::string& archive) {
  ArchiveListOptions options;
  options.archive = place.path(archive);
  options.json = true;
  std::string names;
  const Said said = place.run(run_archive_list, options);
  for (size_t at = 0; (at = said.text.find("{\"name\":\"", at)) != std::string::npos; ++at) {
    const size_t from = at + 9;
    names += (names.empty() ? "" : " ") + said.text.substr(from, said.text.find('"', from) - from);
  }
  return names;
}

bool is_whole(const Workplace& place, const std::string& archive) {
  ArchiveRestoreOptions options;
  options.archive = place.path(archive);
  return place.run(run_archive_verify, options).code == kDone;
}

ArchivePruneOptions pruning(const Workplace& place) {
  ArchivePruneOptions options;
  options.archive = place.path("a.recz");
  return options;
}

TEST_CASE("archive: pruning takes the oldest until the rest fits, and leaves the others as they were") {
  const Workplace place;
  for (int i = 1; i <= 4; ++i)
    add(place, "a.recz", "m" + std::to_string(i), 200 * i, {i % 2 == 0 ? "service=even" : "service=odd"});
  ArchivePruneOptions options = pruning(place);
  options.max_size = "1000";
  options.dry_run = true;
  const Said would = place.run(run_archive_prune, options);
  CHECK(would.code == kDone);
  CHECK(!would.text.empty());
  CHECK(members(place, "a.recz") == "m1 m2 m3 m4");
  options.dry_run = false;
  CHECK(place.run(run_archive_prune, options).text == would.text);
  CHECK(std::filesystem::file_size(place.path("a.recz")) < 6'000);  // with members, an end and parity
  CHECK(is_whole(place, "a.recz"));
  CHECK(place.run(run_archive_prune, options).text.empty());  // it fits
}

TEST_CASE("archive: what is packed with others that go does not go for their size") {
  const Workplace place;
  RecordingBuilder builder;
  std::mt19937 random(1);
  builder.simple_stack(1, "a/B", "c");
  for (int i = 0; i < 2'000; ++i) builder.sample(static_cast<int64_t>(random()), 1, 1);
  ArchiveAddOptions large;
  large.archive = place.path("a.recz");
  large.files = {place.write("large", builder.bytes())};
  CHECK(place.run(run_archive_add, large).code == kDone);
  for (int i = 1; i <= 3; ++i) add(place, "a.recz", "m" + std::to_string(i), 200 * i, {"service=small"});
  ArchivePruneOptions options = pruning(place);
  options.labels = {"service=small"};
  options.max_size = "5000";
  CHECK(place.run(run_archive_prune, options).text.empty());
  CHECK(members(place, "a.recz") == "large m1 m2 m3");
  CHECK(is_whole(place, "a.recz"));
}

TEST_CASE("archive: a file that is not there is told, and makes no archive") {
  const Workplace place;
  ArchiveAddOptions options;
  options.archive = place.path("new.recz");
  options.files = {place.path("none.jfr")};
  CHECK(place.run(run_archive_add, options).code == kUsageError);
  CHECK(!std::filesystem::exists(options.archive));
}

TEST_CASE("archive: pruning by label lets the others be") {
  const Workplace place;
  add(place, "a.recz", "m1", 100, {"service=shop", "env=test"});
  add(place, "a.recz", "m2", 100, {"service=shop", "env=live"});
  ArchivePruneOptions options = pruning(place);
  options.max_age = "1s";  // recordings of the builder are of 2023
  options.labels = {"service=shop", "env=test"};
  CHECK(place.run(run_archive_prune, options).text == "m1\n");
  CHECK(members(place, "a.recz") == "m2");
  CHECK(is_whole(place, "a.recz"));
  options.max_age = "soon";
  CHECK(place.run(run_archive_prune, options).code == kUsageError);
  options.max_age.clear();
  CHECK(place.run(run_archive_prune, options).code == kUsageError);
}

TEST_CASE("archive: merged ones have each member once, and names stay apart") {
  const Workplace place;
  add(place, "a.recz", "m1", 10);
  add(place, "a.recz", "m2", 20);
  add(place, "b.recz", "m1", 10);
  add(place, "b.recz", "m2", 30);
  ArchiveMergeOptions options;
  options.archives = {place.path("a.recz"), place.path("b.recz")};
  options.out = place.path("c.recz");
  CHECK(place.run(run_archive_merge, options).text == "m1\nm2\nm2 -> m2~2\n");
  CHECK(members(place, "c.recz") == "m1 m2 m2~2");
  CHECK(is_whole(place, "c.recz"));
  options.out = place.path("a.recz");  // which it reads
  CHECK(place.run(run_archive_merge, options).code == kUsageError);
  CHECK(members(place, "a.recz") == "m1 m2");
  options.out = "-";
  CHECK(place.run(run_archive_merge, options).code == kUsageError);
  options.archives.push_back(place.path("none.recz"));
  options.out = place.path("d.recz");
  CHECK(place.run(run_archive_merge, options).code == kUsageError);
  CHECK_FALSE(std::filesystem::exists(place.path("d.recz")));
}

TEST_CASE("damage: what parity mends is told by verify, and no command fails for it") {
  const Workplace place;
  for (int i = 1; i <= 3; ++i) add(place, "a.recz", "m" + std::to_string(i), 300 * i);
  const std::string bytes = place.read("a.recz");
  Bytes flipped(bytes.begin(), bytes.end());
  flipped[200] ^= 0x10;
  place.write("a.recz", flipped);
  CHECK_FALSE(is_whole(place, "a.recz"));
  ArchiveRestoreOptions restore;
  restore.archive = place.path("a.recz");
  restore.members = {"m1"};
  CHECK(place.run(run_archive_cat, restore).code == kDone);
  ArchiveMergeOptions repair;
  repair.archives = {place.path("a.recz")};
  const Said said = place.run(run_archive_repair, repair);
  CHECK(said.code == kDone);
  CHECK(has(said.text, "1 block mended"));
  CHECK(is_whole(place, "a.recz"));
  CHECK(place.read("a.recz") == bytes);
}

TEST_CASE("damage: where a damaged piece may be the member that was asked for, its absence is damage") {
  const Workplace place;
  for (int i = 1; i <= 3; ++i) add(place, "a.recz", "m" + std::to_string(i), 300 * i);
  ArchiveRestoreOptions options;
  options.archive = place.path("a.recz");
  options.members = {"m2"};
  options.directory = place.path("out");
  const test::Quiet quiet;
  CHECK(place.run(run_archive_cat, options).code == kDone);
  const std::string bytes = place.read("a.recz");
  const auto writer = jfr::archive::ArchiveWriter::open(place.path("a.recz"));
  Bytes damaged(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(writer->catalogue().committed));
  damaged.at(bytes.find("\2m2")) ^= 1;  // in its own piece
  place.write("b.recz", damaged);       // without what would mend it
  options.archive = place.path("b.recz");
  CHECK(place.run(run_archive_cat, options).code == kDamaged);
  CHECK(place.run(run_archive_restore, options).code == kDamaged);
  options.archive = place.path("a.recz");
  options.members = {"m4"};
  CHECK(place.run(run_archive_cat, options).code == kUsageError);
}

TEST_CASE("damage: repair leaves what stands behind the last commit, and a new archive takes the members there") {
  const Workplace place;
  for (int i = 1; i <= 3; ++i) add(place, "a.recz", "m" + std::to_string(i), 300 * i);
  const std::string bytes = place.read("a.recz");
  const size_t committed = jfr::archive::ArchiveWriter::open(place.path("a.recz"))->catalogue().committed;
  const Bytes cut(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(committed - 1));  // in the last END
  place.write("a.recz", cut);
  CHECK(members(place, "a.recz") == "m1 m2");
  ArchiveMergeOptions repair;
  repair.archives = {place.path("a.recz")};
  const Said said = place.run(run_archive_repair, repair);
  CHECK(said.code == kDamaged);
  CHECK(has(said.text, "what stands behind the last commit stays"));
  const std::string left = place.read("a.recz");
  CHECK(Bytes(left.begin(), left.end()) == cut);
  repair.out = place.path("b.recz");
  CHECK(place.run(run_archive_repair, repair).code == kDamaged);
  CHECK(members(place, "b.recz") == "m1 m2 m3");
  CHECK(is_whole(place, "b.recz"));
  add(place, "a.recz", "m4", 10);
  CHECK(members(place, "a.recz") == "m1 m2 m4");
}

TEST_CASE("damage: a repaired archive has all that was whole, and what is left of the rest under another name") {
  const Workplace place;
  for (int i = 1; i <= 3; ++i) add(place, "a.recz", "m" + std::to_string(i), 300 * i);
  const std::string bytes = place.read("a.recz");
  const size_t committed = jfr::archive::ArchiveWriter::open(place.path("a.recz"))->catalogue().committed;
  int damaged = 0;
  for (size_t at = 8; at < committed; at += 97) {
    Bytes flipped(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(committed));  // without what would mend it
    flipped[at] ^= 0x10;
    place.write("d.recz", flipped);
    ArchiveMergeOptions options;
    options.archives = {place.path("d.recz")};
    options.out = place.path("r.recz");
    const Said said = place.run(run_archive_repair, options);
    if (said.code == kDamaged) ++damaged;
    CHECK(is_whole(place, "r.recz"));
    std::filesystem::remove(options.out);
  }
  CHECK(damaged > 5);
}

TEST_CASE(
    "archive: names as long as a file system takes are restored, and one that it does not take costs that member "
    "alone") {
  const Workplace place;
  const std::string longest(255, 'a'), tree(200, 'b');
  add(place, "a.recz", longest, 3);
  add(place, "a.recz", tree, 4);
  add(place, "a.recz", "z.jfr", 5);
  std::filesystem::create_directories(place.path("out/" + tree + "/inside"));
  ArchiveRestoreOptions options;
  options.archive = place.path("a.recz");
  options.directory = place.path("out");
  const test::Quiet quiet;
  CHECK(place.run(run_archive_restore, options).code == kOutputFailed);  // a directory has its name
  CHECK(place.read("out/" + longest) == place.read(longest));
  CHECK(place.read("out/z.jfr") == place.read("z.jfr"));
}

TEST_CASE("archive: stats has a row for each service") {
  const Workplace place;
  add(place, "a.recz", "m1", 100, {"service=shop"});
  add(place, "a.recz", "m2", 100);
  ArchiveStatsOptions options;
  options.archive = place.path("a.recz");
  const Said said = place.run(run_archive_stats, options);
  CHECK(said.code == kDone);
  CHECK(occurrences(said.text, "service=shop") == 1);
  CHECK(has(said.text, "(no service)"));
  CHECK(has(said.text, "2 members"));
}

}  // namespace

TEST_CASE("race: those who add at the same time wait for each other, and nothing is lost") {
  const Workplace place;
  std::vector<std::thread> adders;
  std::vector<int> codes(8);
  for (int i = 0; i < 8; ++i) {
    const std::string file = place.write("m" + std::to_string(i) + ".jfr", recording(3 + i));
    adders.emplace_back([&, i, file] {
      ArchiveAddOptions options;
      options.archive = place.path("a.recz");
      options.files = {file};
      Output nowhere(-1);
      codes[static_cast<size_t>(i)] = run_archive_add(options, nowhere);
    });
  }
  for (std::thread& adder : adders) adder.join();
  for (const int code : codes) CHECK(code == kDone);
  for (int i = 0; i < 8; ++i) CHECK(has(members(place, "a.recz"), "m" + std::to_string(i) + ".jfr"));
}

TEST_CASE("race: who does not wait is told that somebody else adds") {
  const Workplace place;
  add(place, "a.recz", "m.jfr", 3);
  const auto writer = jfr::archive::ArchiveWriter::open(place.path("a.recz"));
  REQUIRE(writer.ok());
  ArchiveAddOptions options;
  options.archive = place.path("a.recz");
  options.files = {place.write("n.jfr", recording(5))};
  options.wait_s = 0;
  CHECK(place.run(run_archive_add, options).code == kUsageError);
}

TEST_CASE("archive: a chunk is packed with one that another process added, however small the archive is") {
  const Workplace place;
  add(place, "a.recz", "m.jfr", 300);
  add(place, "a.recz", "n.jfr", 299);
  const auto file = jfr::read::MappedFile::open(place.path("a.recz"));
  jfr::read::Problems problems;
  const auto catalogue = jfr::archive::Catalogue::read(file->bytes(), problems);
  REQUIRE(catalogue->members.size() == 2);
  CHECK(catalogue->members[0].parts.front().bases.empty());
  const auto& bases = catalogue->members[1].parts.front().bases;
  REQUIRE(bases.size() == 1);
  CHECK(bases[0].chunk == catalogue->members[0].parts.front().piece);
}

TEST_CASE("archive: a label takes one word, wherever it stands on the line") {
  const Workplace place;
  const std::string archive = place.path("a.recz"), one = place.write("one.jfr", recording(3)),
                    two = place.write("two.jfr", recording(4));
  CommandLine line("jrec", "", "");
  CommandList commands(line.root());
  declare_archive(commands);
  const char* words[] = {"jrec",      "archive", "add",   archive.c_str(), "-l", "service=b",
                         one.c_str(), "--label", "env=c", two.c_str(),     "-q"};
  REQUIRE(line.parse(std::size(words), words).kind == CommandLine::Answer::kRun);
  Output out(-1);
  CHECK(commands.run(out) == kDone);
  CHECK(members(place, "a.recz") == "one.jfr two.jfr");
}

TEST_CASE("archive: addresses are no directories and no files, and nothing is made of them") {
  const Workplace place;
  add(place, "a.recz", "m.jfr", 3);
  for (const std::string address : {"s3://b/x", "gs://b/x", "az://b/x", "https://joe:pw@host/x"}) {
    CHECK_FALSE(check_local(address).ok());
    ArchiveRestoreOptions restore;
    restore.archive = place.path("a.recz");
    restore.directory = address;
    CHECK(place.run(run_archive_restore, restore).code == kUsageError);
    ArchiveAddOptions adding;
    adding.archive = address;
    adding.files = {place.path("m.jfr")};
    if (!address.starts_with("s3:")) CHECK(place.run(run_archive_add, adding).code == kUsageError);
    CHECK(OutputFile(address).fd() == -1);
    CHECK_FALSE(std::filesystem::exists(address.substr(0, address.find('/'))));
  }
  for (const std::string path : {"a.recz", "/x/s3:/y", "./c://d", "://x"}) CHECK(check_local(path).ok());
}

TEST_CASE("an archive is not added to itself, by no name of it") {
  const Workplace place;
  add(place, "a.recz", "one.jfr", 3);
  const std::string before = place.read("a.recz");
  std::filesystem::create_hard_link(place.path("a.recz"), place.path("b.recz"));
  ArchiveAddOptions options = into_itself(place, "a.recz");
  CHECK(place.run(run_archive_add, options).code == kUsageError);
  options.files = {place.write("two.jfr", recording(4)), place.path("b.recz")};
  CHECK(place.run(run_archive_add, options).code == kUsageError);
  CHECK(place.read("a.recz") == before);
}
