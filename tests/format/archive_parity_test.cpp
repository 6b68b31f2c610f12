// SPDX-License-Identifier: Apache-2.0
// Damage of a block costs nothing, and an add that is killed leaves all or none.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "format/archive/archive_writer.h"
#include "format/archive/chunk_packer.h"
#include "format/archive/mending.h"
#include "format/archive/part_reader.h"
#include "format/reader/mapped_file.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/thin.h"

namespace jfr::archive::parity_test {
namespace {

using ::test::RecordingBuilder;
using ::test::Workplace;
using Content = std::vector<uint8_t>;
using Names = std::vector<std::string>;

Content random_bytes(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  Content bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

Content recording(int samples) {
  RecordingBuilder builder;
  builder.frame_type(1, "JIT compiled");
  for (uint64_t i = 1; i <= 20; ++i) builder.simple_stack(i, "app/Main", "work" + std::to_string(i));
  for (int i = 0; i < samples; ++i) builder.sample(1'000 + 37 * i, 1 + static_cast<uint64_t>(i) % 20, 1);
  return builder.bytes();
}

// A member of one part.
void put(ArchiveWriter& writer, const std::string& name, std::span<const uint8_t> file, const PackedChunk& packed) {
  ChunkPacker packer(writer, 3);
  Member member;
  member.name = name;
  member.size = file.size();
  member.hash = content_hash(file);
  auto part = packer.write(packed);
  REQUIRE(part.ok());
  part->size = file.size();
  member.parts = {*part};
  REQUIRE(writer.add_member(member).ok());
}

void put_bytes(ArchiveWriter& writer, const std::string& name, const Content& file) {
  put(writer, name, file, {make_piece(PieceKind::kChunk, PieceCoding::kStored, file, file.size()), {}, 0, {}, 0, {}});
}

void put_chunk(ArchiveWriter& writer, const std::string& name, const Content& chunk) {
  put(writer, name, chunk, ChunkPacker(writer, 3).pack(chunk));
}

ArchiveWriter open(const std::string& path) {
  auto writer = ArchiveWriter::open(path);
  REQUIRE(writer.ok());
  return std::move(*writer);
}

Content content_of(const std::string& path) {
  const auto file = jfr::read::MappedFile::open(path);
  REQUIRE(file.ok());
  return {file->bytes().begin(), file->bytes().end()};
}

// Those that are there to the byte.
Names whole_members(std::span<const uint8_t> bytes) {
  const ArchiveBytes archive(bytes);
  jfr::read::Problems problems;
  const auto catalogue = Catalogue::read(archive, problems);
  Names names;
  if (!catalogue) return names;
  PartReader parts(archive);
  for (const Member& member : catalogue->members) {
    const auto part = parts.read(member.parts.at(0));
    if (part && content_hash(*part) == member.hash) names.push_back(member.name);
  }
  return names;
}

// A small one: a base, what is packed with it, and other bytes, in two commits.
std::string small_archive(const Workplace& place) {
  const std::string path = place.path("a.recz");
  {
    ArchiveWriter writer = open(path);
    put_chunk(writer, "base", recording(4'000));
    put_bytes(writer, "bytes", random_bytes(20'000, 1));
    REQUIRE(writer.commit().ok());
  }
  ArchiveWriter writer = open(path);
  put_chunk(writer, "other", recording(3'000));
  REQUIRE(writer.commit().ok());
  return path;
}

// A large one, of two bands that are closed and one that is not.
std::string large_archive(const Workplace& place) {
  const std::string path = place.path("l.recz");
  ArchiveWriter writer = open(path);
  for (uint32_t i = 0; i < 9; ++i) put_bytes(writer, "m" + std::to_string(i), random_bytes(1'100'000 + i, i));
  REQUIRE(writer.commit().ok());
  return path;
}

// Of the band that has this place, or whose parity does.
uint64_t block_size_at(const std::vector<Band>& bands, uint64_t at) {
  for (const Band& band : bands)
    if (at < band.piece_end) return band.block;
  return kBlockBytes;
}

void lose_bytes(Content& archive, uint64_t at, uint64_t most, bool zeros, uint32_t seed) {
  const auto begin = archive.begin() + static_cast<ptrdiff_t>(at);
  const size_t size = std::min<size_t>(most, archive.size() - at);
  const Content other = zeros ? Content(size) : random_bytes(size, seed);
  std::ranges::copy(other, begin);
}

void lose_block(Content& archive, uint64_t at, bool zeros, uint32_t seed) {
  lose_bytes(archive, at, block_size_at(bands_of(archive), at), zeros, seed);
}

// Each block of them, or some.
void lose_each_block(const Content& archive, uint64_t step) {
  const Names all = whole_members(archive);
  REQUIRE(!all.empty());
  const std::vector<Band> bands = bands_of(archive);
  for (uint64_t at = 0; at < archive.size(); at += step * block_size_at(bands, at))
    for (const bool zeros : {true, false}) {
      Content damaged = archive;
      lose_bytes(damaged, at, block_size_at(bands, at), zeros, static_cast<uint32_t>(at));
      CHECK_MESSAGE(whole_members(damaged) == all, "without the block at " << at);
    }
}

void write(const std::string& path, const Content& bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  REQUIRE(::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  ::close(fd);
}

TEST_CASE("damage: any block of a small archive may be lost: head, base, metadata, members, END or parity") {
  const Workplace place;
  lose_each_block(content_of(small_archive(place)), 1);
}

TEST_CASE("damage: any byte of an archive's head may be another one, that of its version too") {
  const Workplace place;
  const Content archive = content_of(small_archive(place));
  const Names all = whole_members(archive);
  REQUIRE(!all.empty());
  for (size_t at = 0; at < kArchiveHead.size(); ++at)
    for (size_t byte = 0; byte < 256; byte += ::test::kThin) {
      Content damaged = archive;
      damaged[at] = static_cast<uint8_t>(byte);
      CHECK_MESSAGE(whole_members(damaged) == all, "with " << byte << " at " << at);
    }
}

TEST_CASE("damage: any block of a large archive may be lost, and several neighbours too") {
  const Workplace place;
  const Content archive = content_of(large_archive(place));
  CHECK(bands_of(archive).size() == 3);
  lose_each_block(archive, 97);
  Content damaged = archive;
  for (uint64_t i = 0; i < 16; ++i) lose_block(damaged, (200 + i) * kBlockBytes, false, 7);
  CHECK(whole_members(damaged).size() == 9);
}

TEST_CASE("damage: any block of an archive may be lost, of whatever size blocks are, and as it grows") {
  const Workplace place;
  const std::string path = place.path("g.recz");
  uint32_t number = 0;
  std::set<uint64_t> sizes;
  for (const size_t more : {1, 400, 28'000, 35'500, 300, 40'000, 80'000, 75'000, 100'000}) {
    {
      ArchiveWriter writer = open(path);
      put_bytes(writer, "m" + std::to_string(number), random_bytes(more, number));
      REQUIRE(writer.commit().ok());
    }
    ++number;
    const Content archive = content_of(path);
    const auto bands = bands_of(archive);
    REQUIRE(bands.size() == 1);
    sizes.insert(bands[0].block);
    CHECK(bands[0].blocks() <= kMostSmallBlocks);
    CHECK(archive.size() <= bands[0].to * 103 / 100 + 1'300);
    CHECK(whole_members(archive).size() == number);
    lose_each_block(archive, ::test::kThin);
  }
  CHECK(sizes == std::set<uint64_t>{512, 1024, 2048, 4096});
}

TEST_CASE("archive: parity takes less than a fiftieth of a large archive, and a kilobyte of a small one") {
  const Workplace place;
  const Content large = content_of(large_archive(place));
  CHECK(large.size() < 1.02 * 9 * 1'100'000);
  const std::string path = place.path("tiny.recz");
  {
    ArchiveWriter writer = open(path);
    put_bytes(writer, "tiny", random_bytes(100, 1));
    REQUIRE(writer.commit().ok());
  }
  CHECK(content_of(path).size() < 100 + 1'024);
}

TEST_CASE("damage: two blocks of a column are more than parity mends, and cost what they hold") {
  const Workplace place;
  Content archive = content_of(small_archive(place));
  const Names all = whole_members(archive);
  lose_block(archive, 3 * kBlockBytes, false, 1);
  lose_block(archive, 4 * kBlockBytes, false, 2);
  CHECK(whole_members(archive).size() < all.size());
}

TEST_CASE("damage: what was mended in its place is the archive that it was, to the byte") {
  const Workplace place;
  for (const std::string& path : {small_archive(place), large_archive(place)}) {
    const Content archive = content_of(path);
    for (uint64_t at = 0; at < archive.size();
         at += (archive.size() / 20 + 1) / kBlockBytes * kBlockBytes + kBlockBytes) {
      Content damaged = archive;
      lose_block(damaged, at, false, 3);
      write(path, damaged);
      {
        const ArchiveWriter lock = open(path);
        REQUIRE(mend_archive(path).ok());
      }
      CHECK_MESSAGE(content_of(path) == archive, "without the block at " << at);
    }
    // Parity itself, which the walk above may have stepped over.
    for (const Band& band : bands_of(archive)) {
      Content damaged = archive;
      lose_block(damaged, band.at, true, 0);
      write(path, damaged);
      {
        const ArchiveWriter lock = open(path);
        REQUIRE(mend_archive(path).ok());
      }
      CHECK_MESSAGE(content_of(path) == archive, "without the parity at " << band.at);
    }
  }
}

TEST_CASE("damage: what is no zero between a band and its parity is told, and mended") {
  const Workplace place;
  const std::string path = small_archive(place);
  const Content archive = content_of(path);
  const Band band = bands_of(archive).back();
  REQUIRE(band.to < band.at);
  Content damaged = archive;
  damaged[band.to] = 1;
  write(path, damaged);
  jfr::read::Problems problems;
  const ArchiveBytes bytes(damaged);
  CHECK(check_parity(bytes, *Catalogue::read(bytes, problems)).mendable == std::vector<uint64_t>{band.to});
  REQUIRE(mend_archive(path).ok());
  CHECK(content_of(path) == archive);
}

TEST_CASE("damage: who adds to an archive mends the blocks whose parity is made anew") {
  const Workplace place;
  const std::string path = small_archive(place);
  Content archive = content_of(path);
  lose_block(archive, kBlockBytes, false, 4);
  write(path, archive);
  {
    ArchiveWriter writer = open(path);
    put_bytes(writer, "more", random_bytes(9'000, 5));
    REQUIRE(writer.commit().ok());
  }
  CHECK(whole_members(content_of(path)) == Names{"base", "bytes", "other", "more"});
  lose_each_block(content_of(path), 1);
}

// The bytes of an archive to which two files are being added, when the writer has written `count` bytes: what stood
// there before is behind them; or zeros, as room was made.
Content killed_after(const Content& before, const Content& after, uint64_t committed, uint64_t count, bool room) {
  Content archive = room ? Content(after.size()) : before;
  archive.resize(std::max(archive.size(), committed + count));
  std::copy_n(after.begin(), committed + count, archive.begin());
  return archive;
}

TEST_CASE("damage: an add that is killed after any byte has added all of its files, or none") {
  const Workplace place;
  const std::string path = place.path("a.recz");
  {
    ArchiveWriter writer = open(path);
    put_bytes(writer, "first", random_bytes(300, 1));
    REQUIRE(writer.commit().ok());
  }
  const Content before = content_of(path);
  const uint64_t committed = open(path).catalogue().committed;
  {
    ArchiveWriter writer = open(path);
    put_bytes(writer, "second", random_bytes(200, 2));
    put_bytes(writer, "third", random_bytes(5'000, 3));
    REQUIRE(writer.commit().ok());
  }
  const Content after = content_of(path);
  const Names none = {"first"}, all = {"first", "second", "third"};
  bool was_there = false;
  for (uint64_t count = 0; committed + count <= after.size(); count += count % 64 < 3 ? 1 : 61) {
    for (const bool room : {false, true}) {
      const Names there = whole_members(killed_after(before, after, committed, count, room));
      CHECK_MESSAGE((there == none || there == all), there.size() << " members after " << count << " bytes");
      if (!room && was_there) CHECK(there == all);
      was_there = was_there || (!room && there == all);
    }
  }
  CHECK(was_there);
}

TEST_CASE("damage: after an add that was killed the next one adds to what was there") {
  const Workplace place;
  const std::string path = small_archive(place);
  Content archive = content_of(path);
  const uint64_t committed = open(path).catalogue().committed;
  const Content half = make_piece(PieceKind::kChunk, PieceCoding::kStored, random_bytes(30'000, 1), 30'000);
  archive.resize(committed + half.size() - 5'000);
  std::copy_n(half.begin(), half.size() - 5'000, archive.begin() + static_cast<ptrdiff_t>(committed));
  write(path, archive);
  CHECK(whole_members(archive) == Names{"base", "bytes", "other"});
  {
    ArchiveWriter writer = open(path);
    put_bytes(writer, "more", random_bytes(50, 5));
    REQUIRE(writer.commit().ok());
  }
  const Content mended = content_of(path);
  CHECK(whole_members(mended) == Names{"base", "bytes", "other", "more"});
  jfr::read::Problems problems;
  CHECK(Catalogue::read(mended, problems)->tail == Catalogue::Tail::kWhole);
  CHECK(problems.empty());
  lose_each_block(mended, 1);
}

TEST_CASE("damage: members whose END cannot be mended are found, and the next writer lists them again") {
  const Workplace place;
  const std::string path = small_archive(place);
  Content archive = content_of(path);
  const Band band = bands_of(archive).back();
  archive[band.end + 60] ^= 1;
  archive[band.piece_end - kEndTail - 1] ^= 1;  // the sum that mends it
  write(path, archive);
  const Names all = {"base", "bytes", "other"};
  CHECK(whole_members(archive) == all);
  { const ArchiveWriter writer = open(path); }
  jfr::read::Problems problems;
  const Content listed = content_of(path);
  CHECK(Catalogue::read(listed, problems)->last_end != 0);
  CHECK(problems.empty());
  CHECK(whole_members(listed) == all);
}

}  // namespace
TEST_CASE("damage: a place that no archive has is no piece, and is not searched for") {
  const Content bytes(kArchiveHead.begin(), kArchiveHead.end());
  const ArchiveBytes archive(bytes);
  for (const uint64_t at : {kArchiveHead.size(), uint64_t{4096}, UINT64_MAX - 5000, UINT64_MAX - 1, UINT64_MAX}) {
    CHECK_FALSE(archive.piece(at));
    CHECK_FALSE(archive.whole_piece(at));
    CHECK(archive.mended(at, 40).empty());
  }
}

}  // namespace jfr::archive::parity_test
