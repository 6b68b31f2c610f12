// SPDX-License-Identifier: Apache-2.0
// Archives as versions of jrec wrote them. Bytes that cannot be made again: whoever changes the format keeps reading these.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "format/archive/archive_writer.h"
#include "format/archive/catalogue.h"
#include "format/archive/chunk_packer.h"
#include "format/archive/metadata_piece.h"
#include "format/archive/part_reader.h"
#include "format/archive/piece.h"
#include "format/archive/piece_walk.h"
#include "format/archive/words.h"
#include "format/reader/mapped_file.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"

namespace jfr::archive::test {

using Content = std::vector<uint8_t>;

namespace {

constexpr const char* kVersion2 = "/tests/golden/archive_v2.recz";

// A chunk whose times are nothing but noise.
Content noisy_chunk() {
  std::mt19937_64 random(1);
  ::test::RecordingBuilder builder;
  builder.simple_stack(1, "app/Main", "work");
  uint64_t time = 1'000;
  for (int i = 0; i < 20'000; ++i) builder.sample(static_cast<int64_t>(time += random() >> (30 + random() % 24)), 1, 1);
  return builder.bytes();
}

// The newest coding of numbers in the directory of a chunk. base: what it was packed with.
NumberCoding newest_coding(const PackedChunk& packed, uint64_t size, const Blocks* base) {
  const auto blocks = unpack_blocks(std::span(packed.piece).subspan(kPieceHeadBytes), block_limit(size), base);
  REQUIRE(blocks.has_value());
  NumberCoding newest = NumberCoding::kConstant;
  size_t at = 0;
  uint64_t number = 0;
  take_varint(blocks->front, at, number);
  while (take_varint(blocks->front, at, number) && number != 0) {
    take_varint(blocks->front, at, number);
    newest = std::max(newest, static_cast<NumberCoding>(blocks->front.at(at++)));
    take_varint(blocks->front, at, number);
  }
  return newest;
}

NumberCoding newest_coding_of_a_writer(const std::string& path) {
  auto writer = ArchiveWriter::open(path);
  REQUIRE(writer.ok());
  const Content chunk = noisy_chunk();
  const PackedChunk packed = ChunkPacker(*writer, kUsualLevel).pack(chunk);
  const auto archive = writer->map();
  REQUIRE(archive.ok());
  const auto base = BaseReader().ready(archive->bytes(), packed.bases).blocks;
  return newest_coding(packed, chunk.size(), base.get());
}

}  // namespace

// Made by the first versions that wrote them, of the same members: chunks that stand by themselves and such as are
// packed with others and with their names; a torn chunk; a text.
void check_golden(const std::string& path, uint8_t version) {
  const auto file = jfr::read::MappedFile::open(std::string(REC_SOURCE_ROOT) + path);
  REQUIRE(file.ok());
  jfr::read::Problems problems;
  const ArchiveBytes archive(file->bytes());
  const auto catalogue = Catalogue::read(archive, problems);
  REQUIRE(catalogue.ok());
  CHECK(catalogue->version == version);
  CHECK(problems.empty());
  struct Expected {
    const char* name;
    size_t size;
    uint64_t hash;
  };
  std::vector<Expected> expected = {
      {"shop-1.jfr", 48128, 0x9b67fd276af17263}, {"shop-2.jfr", 47560, 0x25a405b90f603b34},
      {"one.jfr", 3907, 0x57fab4bffc4502f3},     {"two.jfr", 5122, 0x880a52234e366aa8},
      {"torn.jfr", 700, 0xfd59b9e07f9477f9},     {"text.txt", 171, 0xf65100cd204ad225}};
  if (version >= 5) {
    expected.push_back({"native-1.jfr", 50424, 0x681e41defc9b02e5});
    expected.push_back({"native-2.jfr", 50488, 0xf730a4c3bc3a9116});
  }
  if (version >= 6) {
    expected.push_back({"shop-3.jfr", 48115, 0x084b581b60413617});
    expected.push_back({"shop-4.jfr", 45876, 0x7986e0ab946d7bb7});
    CHECK(catalogue->find("shop-4.jfr")->parts.front().bases.size() == 3);
  }
  jfr::archive::PartReader parts(archive);
  for (const Expected& each : expected) {
    const Member* member = catalogue->find(each.name);
    REQUIRE(member != nullptr);
    Content bytes;
    for (const Part& part : member->parts) {
      const auto content = parts.read(part);
      REQUIRE(content.ok());
      const auto alone = jfr::archive::PartReader(archive).read(part);  // who has not read its bases just before
      REQUIRE(alone.ok());
      CHECK(*alone == *content);
      bytes.insert(bytes.end(), content->begin(), content->end());
    }
    CHECK(bytes.size() == each.size);
    CHECK(hash_of(bytes) == each.hash);
  }
  CHECK(catalogue->find("shop-1.jfr")->labels == std::vector<std::string>{"service=shop", "host=h1"});
}

TEST_CASE("golden: archives of versions 2 to 7 are read as long as there is a reader") {
  check_golden(kVersion2, 2);
  check_golden("/tests/golden/archive_v3.recz", 3);
  check_golden("/tests/golden/archive_v4.recz", 4);  // with a table of its first 16 members
  check_golden("/tests/golden/archive_v5.recz", 5);  // and chunks with all that a column may leave out
  check_golden("/tests/golden/archive_v6.recz", 6);  // and one with three bases
  check_golden("/tests/golden/archive_v7.recz", 7);  // and metadata and chunks that are packed with words
}

TEST_CASE("golden: the words are those that archives of version 7 were packed with") {
  CHECK(hash_of(kTypeWords) == 0x5bb409701b7fd8d0);
  CHECK(hash_of(kJavaWords) == 0xd1f853390b99c47e);
}

TEST_CASE("golden: metadata for an archive of version 6 is not packed with words") {
  const Content chunk = noisy_chunk();
  for (const uint8_t version : {uint8_t{6}, uint8_t{7}}) {
    const Content piece = make_metadata_piece(metadata_content(chunk), 0, {}, kUsualLevel, codings_of(version));
    CHECK((read_head(piece)->coding == PieceCoding::kWordColumns) == (version >= kWordsVersion));
  }
}

TEST_CASE("golden: chunks of version 0.9 in columns are read as long as there is a reader") {
  const auto file = jfr::read::MappedFile::open(std::string(REC_SOURCE_ROOT) + "/tests/golden/archive_v6_old.recz");
  REQUIRE(file.ok());
  jfr::read::Problems problems;
  const ArchiveBytes archive(file->bytes());
  const auto catalogue = Catalogue::read(archive, problems);
  REQUIRE(catalogue.ok());
  const Part& part = catalogue->find("old.jfr")->parts.front();
  CHECK(archive.piece(part.piece)->head.coding == PieceCoding::kOldColumns);
  const auto content = jfr::archive::PartReader(archive).read(part);
  REQUIRE(content.ok());
  CHECK(content->size() == 82'853);
  CHECK(hash_of(*content) == 0x306ac50b5f559353);
}

TEST_CASE("golden: who adds to an archive of version 2 writes no coding that came later") {
  const ::test::Workplace place;
  std::filesystem::copy_file(std::string(REC_SOURCE_ROOT) + kVersion2, place.path("a.recz"));
  CHECK(newest_coding_of_a_writer(place.path("a.recz")) <= NumberCoding::kDeltaPlanes);
  CHECK(newest_coding_of_a_writer(place.path("new.recz")) > NumberCoding::kDeltaPlanes);
}

// A member of that archive once more, under another name: its part.
static Part added_again(const std::string& path, const char* name) {
  auto writer = ArchiveWriter::open(path);
  REQUIRE(writer.ok());
  const Member* member = writer->catalogue().find(name);
  REQUIRE(member != nullptr);
  Member again = *member;
  const auto mapped = writer->map();
  const ArchiveBytes archive(mapped->bytes());
  const auto content = PartReader(archive).read(member->parts.front());
  REQUIRE(content.ok());
  ChunkPacker packer(*writer, kUsualLevel);
  auto part = packer.write(packer.pack(*content));
  REQUIRE(part.ok());
  part->size = content->size();
  again.name = "again";
  again.parts = {*part};
  REQUIRE(writer->add_member(again).ok());
  REQUIRE(writer->commit().ok());
  return *part;
}

static size_t word_pieces(const std::string& path) {
  const auto file = jfr::read::MappedFile::open(path);
  REQUIRE(file.ok());
  const ArchiveBytes archive(file->bytes());
  PieceWalk walk(archive, first_piece(archive.raw()));
  size_t pieces = 0;
  while (const auto piece = walk.next()) pieces += piece->head.coding == PieceCoding::kWordColumns;
  return pieces;
}

TEST_CASE("golden: who adds to an archive of version 5 says of bases what its readers know") {
  const ::test::Workplace place;
  for (const char* version : {"4", "5", "6"}) {
    const std::string path = place.path(version);
    std::filesystem::copy_file(std::string(REC_SOURCE_ROOT) + "/tests/golden/archive_v" + version + ".recz", path);
    const Part part = added_again(path, "shop-2.jfr");
    CHECK(part.same_program == (version[0] == '6'));
    CHECK(part.bases.size() == (version[0] == '6' ? 4 : 1));
    CHECK(word_pieces(path) == 0);
    const auto file = jfr::read::MappedFile::open(path);
    REQUIRE(file.ok());
    for (const Band& band : bands_of(file->bytes())) CHECK(band.block == kBlockBytes);
  }
}

TEST_CASE("golden: a version to come is refused where parity says that the head is whole, and mended where it is not") {
  const auto file = jfr::read::MappedFile::open(std::string(REC_SOURCE_ROOT) + "/tests/golden/archive_v7.recz");
  REQUIRE(file.ok());
  Content archive(file->bytes().begin(), file->bytes().end());
  archive[4] = kVersion + 1;
  jfr::read::Problems problems;
  CHECK(Catalogue::read(archive, problems)->version == kVersion);
  const auto bands = bands_of(archive);
  REQUIRE(bands.size() == 1);
  const Content parity = make_parity(archive, bands[0]);
  std::ranges::copy(parity, archive.begin() + static_cast<ptrdiff_t>(bands[0].at));
  const auto refused = Catalogue::read(archive, problems);
  REQUIRE(!refused.ok());
  CHECK(refused.error().code == base::ErrorCode::kUsage);
}

TEST_CASE("golden: parity that is damaged is told as such, whatever the blocks of its version") {
  for (const char* version : {"2", "3", "4", "5", "6"}) {
    const auto file =
        jfr::read::MappedFile::open(std::string(REC_SOURCE_ROOT) + "/tests/golden/archive_v" + version + ".recz");
    REQUIRE(file.ok());
    Content archive(file->bytes().begin(), file->bytes().end());
    const auto bands = bands_of(archive);
    REQUIRE(bands.size() == 1);
    CHECK(bands[0].block == kBlockBytes);
    for (uint64_t at = bands[0].at; at < archive.size(); at += 37) {
      Content damaged = archive;
      damaged[at] ^= 4;
      jfr::read::Problems problems;
      CHECK_MESSAGE(Catalogue::read(damaged, problems)->tail == Catalogue::Tail::kDamaged, version << " at " << at);
      CHECK(problems.empty());
    }
  }
}

TEST_CASE("golden: who adds to an archive of version 4 leaves it one that its readers know") {
  const ::test::Workplace place;
  const std::string path = place.path("a.recz");
  std::filesystem::copy_file(std::string(REC_SOURCE_ROOT) + "/tests/golden/archive_v4.recz", path);
  CHECK(newest_coding_of_a_writer(path) <= NumberCoding::kSymbolModel);
  {
    auto writer = ArchiveWriter::open(path);
    REQUIRE(writer.ok());
    Member member;
    member.name = "more";
    REQUIRE(writer->add_member(member).ok());
    REQUIRE(writer->commit().ok());
  }
  const auto file = jfr::read::MappedFile::open(path);
  const std::string magic = "RECZ-END";
  CHECK(std::ranges::equal(file->bytes().last(magic.size()), magic));
  CHECK(file->bytes()[4] == 4);
}

}  // namespace jfr::archive::test
