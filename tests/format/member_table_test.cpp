// SPDX-License-Identifier: Apache-2.0
// Tables of members: that they say what the commits said, are few, and are not needed.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "format/archive/archive_writer.h"
#include "format/archive/member_table.h"
#include "format/archive/piece_walk.h"
#include "format/reader/mapped_file.h"
#include "tests/jrec/commands.h"

namespace jfr::archive::member_table_test {
namespace {

using ::test::Workplace;
using Content = std::vector<uint8_t>;

Member text_member(ArchiveWriter& writer, int number) {
  const std::string text = "text " + std::to_string(number);
  const Content bytes(text.begin(), text.end());
  Member member;
  member.name = "m" + std::to_string(number);
  member.labels = {"service=s" + std::to_string(number % 3)};
  member.size = bytes.size();
  member.hash = content_hash(bytes);
  Part part;
  part.piece = writer.add_piece(make_piece(PieceKind::kChunk, bytes, 1)).value();
  part.size = bytes.size();
  member.parts = {part};
  return member;
}

// Members m0, m1, ..., so many in each commit, each with a metadata of its own.
void add_commits(const std::string& path, const std::vector<int>& commits, int number = 0) {
  for (const int members : commits) {
    auto writer = ArchiveWriter::open(path);
    REQUIRE(writer.ok());
    for (int i = 0; i < members; ++i, ++number) {
      const std::string metadata = "no metadata, but of one content " + std::to_string(number);
      REQUIRE(writer->add_metadata(Content(metadata.begin(), metadata.end())).ok());
      REQUIRE(writer->add_member(text_member(*writer, number)).ok());
    }
    REQUIRE(writer->commit().ok());
  }
}

struct Read {
  std::vector<std::string> names;
  size_t metadata = 0, problems = 0;
  std::vector<CommitSpan> spans;
  bool operator==(const Read& other) const {
    return names == other.names && metadata == other.metadata && problems == other.problems;
  }
};

Read read_archive(std::span<const uint8_t> bytes) {
  read::Problems problems;
  const ArchiveBytes archive(bytes);
  const auto catalogue = Catalogue::read(archive, problems);
  REQUIRE(catalogue.ok());
  Read read;
  for (const Member& member : catalogue->members) read.names.push_back(member.name);
  read.metadata = catalogue->metadata.size();
  read.problems = problems.count();
  read.spans = catalogue->spans;
  return read;
}

Content bytes_of(const std::string& path) {
  const auto mapped = read::MappedFile::open(path);
  REQUIRE(mapped.ok());
  return {mapped->bytes().begin(), mapped->bytes().end()};
}

Read expected(int members) {
  Read read;
  for (int i = 0; i < members; ++i) read.names.push_back("m" + std::to_string(i));
  read.metadata = static_cast<size_t>(members);
  return read;
}

std::vector<PlacedPiece> tables_in(const ArchiveBytes& archive) {
  std::vector<PlacedPiece> tables;
  PieceWalk walk(archive, kArchiveHead.size());
  while (const auto piece = walk.next())
    if (piece->head.kind == PieceKind::kTable) tables.push_back(*piece);
  return tables;
}

}  // namespace

TEST_CASE("archive: members of many commits are read by a few tables, in their order") {
  const Workplace place;
  const std::string path = place.path("a.recz");
  add_commits(path, std::vector<int>(100, 1));
  const Read singles = read_archive(bytes_of(path));
  CHECK(singles == expected(100));
  CHECK(singles.spans.size() < 24);  // fifteen at most that no table has yet, and two tables of a size
  add_commits(path, {40, 7, 1, 90, 3}, 100);
  CHECK(read_archive(bytes_of(path)) == expected(241));
}

TEST_CASE("archive: a few members need no table") {
  const Workplace place;
  add_commits(place.path("a.recz"), {3, 12});
  const Content bytes = bytes_of(place.path("a.recz"));
  CHECK(tables_in(ArchiveBytes(bytes)).empty());
  add_commits(place.path("a.recz"), {1}, 15);
  const Content more = bytes_of(place.path("a.recz"));
  CHECK(tables_in(ArchiveBytes(more)).size() == 1);
  CHECK(read_archive(more).spans.size() == 1);
  CHECK(read_archive(more) == expected(16));
}

// What spans_left_alone() makes of commits of all sizes.
TEST_CASE("archive: tables stay few, and each member is in few") {
  std::mt19937_64 random(7);
  for (const int largest : {1, 2, 30, 1'000}) {
    std::vector<CommitSpan> spans;
    uint64_t members = 0, copied = 0;
    size_t most = 0;
    for (int commit = 0; commit < 5'000; ++commit) {
      CommitSpan span;
      span.members = 1 + random() % static_cast<uint64_t>(largest);
      members += span.members;
      const size_t alone = spans_left_alone(spans, span.members);
      for (size_t i = alone; i < spans.size(); ++i) span.members += spans[i].members;
      span.has_table = span.members >= kFewestInTable;
      if (span.has_table) copied += span.members;
      spans.resize(alone);
      spans.push_back(span);
      most = std::max(most, spans.size());
    }
    uint64_t held = 0;
    for (const CommitSpan& span : spans) held += span.members;
    CHECK(held == members);
    CHECK(most < 40);
    CHECK(copied < members * 12);
  }
}

TEST_CASE("damage: a table that cannot be mended is not missed") {
  const Workplace place;
  add_commits(place.path("a.recz"), {19, 1, 1, 60});
  Content bytes = bytes_of(place.path("a.recz"));
  std::vector<uint64_t> places;
  for (const PlacedPiece& table : tables_in(ArchiveBytes(bytes))) places.push_back(table.at);
  REQUIRE(places.size() == 2);
  // Without parity behind the last END, which is found by its head.
  uint64_t end = 0;
  const ArchiveBytes archive(bytes);
  for (PieceWalk pieces(archive, kArchiveHead.size()); const auto piece = pieces.next();)
    if (piece->head.kind == PieceKind::kEnd) end = piece->end();
  bytes.resize(end);
  const Read whole = read_archive(bytes);
  CHECK(whole.spans.back().has_table);
  for (const uint64_t at : places) bytes[at + kPieceHeadBytes + 3] ^= 0x10;
  const Read damaged = read_archive(bytes);
  CHECK_FALSE(damaged.spans.back().has_table);
  CHECK(damaged == whole);
  CHECK(damaged.names == expected(81).names);
}

TEST_CASE("damage: no byte of a table makes its reader fail") {
  CommitSpan span;
  span.before = 100;
  span.metadata = {{1, 200}, {UINT64_MAX, 5'000}};
  std::vector<Member> members(3);
  for (size_t i = 0; i < members.size(); ++i) members[i].name = "member " + std::to_string(i);
  span.members = members.size();
  const Content bytes = write_table(span, members, 10'000);
  const auto same = read_table(bytes, 10'000);
  REQUIRE(same.has_value());
  CHECK(same->before == 100);
  CHECK(same->members.size() == 3);
  CHECK(same->metadata == span.metadata);
  for (size_t size = 0; size < bytes.size(); ++size) CHECK_FALSE(read_table(std::span(bytes).first(size), 10'000));
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      Content flipped = bytes;
      flipped[i] ^= static_cast<uint8_t>(1 << bit);
      const auto read = read_table(flipped, 10'000);
      CHECK((!read || read->before < 10'000));
    }
}

TEST_CASE("golden: who adds to an archive of version 3 writes no table") {
  const Workplace place;
  std::filesystem::copy_file(std::string(REC_SOURCE_ROOT) + "/tests/golden/archive_v3.recz", place.path("a.recz"));
  add_commits(place.path("a.recz"), {20});
  const Content bytes = bytes_of(place.path("a.recz"));
  CHECK(tables_in(ArchiveBytes(bytes)).empty());
  CHECK(read_archive(bytes).names.size() == 26);
}

}  // namespace jfr::archive::member_table_test
