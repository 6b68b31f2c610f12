// SPDX-License-Identifier: Apache-2.0
// The archive: what goes in comes out to the byte, damage stays where it is, and nothing half is ever there.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "base/leb128.h"
#include "format/archive/archive_writer.h"
#include "format/archive/chunk_codec.h"
#include "format/archive/metadata_codec.h"
#include "format/archive/metadata_content.h"
#include "format/archive/metadata_piece.h"
#include "format/archive/number_codec.h"
#include "format/archive/part_reader.h"
#include "format/archive/text_order.h"
#include "format/archive/words.h"
#include "format/archive/zstd_dictionaries.h"
#include "format/archive/zstd_frame.h"
#include "format/reader/mapped_file.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/thin.h"

namespace jfr::archive::test {
namespace {

using jfr::archive::PartReader;
using ::test::RecordingBuilder;
using ::test::Workplace;
using Content = std::vector<uint8_t>;

Content some_chunk(int samples = 200) {
  RecordingBuilder builder;
  builder.frame_type(1, "JIT compiled");
  for (uint64_t i = 1; i <= 20; ++i)
    builder.simple_stack(i, "app/Main" + std::to_string(i % 3), "work" + std::to_string(i));
  for (int i = 0; i < samples; ++i) builder.sample(1'000 + 37 * i, 1 + static_cast<uint64_t>(i) % 20, 1);
  return builder.bytes();
}

Content restored(const CodedChunk& coded, uint64_t size) {
  const auto blocks = unpack_blocks(pack_blocks(coded.blocks, 3, nullptr), block_limit(size), nullptr);
  REQUIRE(blocks.has_value());
  auto back = decode_chunk(*blocks, coded.metadata, size);
  REQUIRE(back.ok());
  return std::move(back.value());
}

Content chunk_piece(const CodedChunk& coded, uint64_t size, const Blocks* base = nullptr) {
  return make_piece(PieceKind::kChunk, PieceCoding::kColumns, pack_blocks(coded.blocks, 3, base), size);
}

// An archive of that many members, whose names are m0, m1, ...; each in a commit of its own.
std::string archive_of(const Workplace& place, int members) {
  const std::string path = place.path("a.recz");
  for (int i = 0; i < members; ++i) {
    const Content chunk = some_chunk(50 + i);
    const auto coded = encode_chunk(chunk);
    REQUIRE(coded.has_value());
    auto writer = ArchiveWriter::open(path);
    REQUIRE(writer.ok());
    Member member;
    member.name = "m" + std::to_string(i);
    member.size = chunk.size();
    member.hash = content_hash(chunk);
    Part part;
    part.size = chunk.size();
    part.metadata = {writer->add_metadata(coded->metadata.at(0)).value()};
    part.piece = writer->add_piece(chunk_piece(*coded, chunk.size())).value();
    member.parts = {part};
    REQUIRE(writer->add_member(member).ok());
    REQUIRE(writer->commit().ok());
  }
  return path;
}

// How many of its members are there, whole.
int whole_members(std::span<const uint8_t> bytes, size_t* problems = nullptr) {
  const ArchiveBytes archive(bytes);
  jfr::read::Problems noted;
  auto catalogue = Catalogue::read(archive, noted);
  int whole = 0;
  if (catalogue) {
    PartReader parts(archive);
    for (const Member& member : catalogue->members) {
      const auto read = parts.read(member.parts.at(0));
      if (read && content_hash(read.value()) == member.hash)
        ++whole;
      else
        noted.add(base::Error{base::ErrorCode::kCorrupt, 0, member.name});
    }
  }
  const bool tail_is_whole = catalogue && catalogue->tail == Catalogue::Tail::kWhole;
  if (problems != nullptr) *problems = noted.count() + archive.mended_blocks().size() + (tail_is_whole ? 0 : 1);
  return whole;
}

// As many as can be read.
std::vector<uint64_t> numbers_in(std::span<const uint8_t> bytes, NumberCoding coding, uint64_t count) {
  std::vector<uint64_t> numbers;
  NumberReader reader;
  uint64_t number = 0;
  if (reader.open(bytes, coding, count))
    while (reader.next(number)) numbers.push_back(number);
  return numbers;
}

TEST_CASE("archive: numbers come back in every coding") {
  std::mt19937_64 random(1);
  std::vector<std::vector<uint64_t>> sets = {{7, 7, 7}, {0}, {UINT64_MAX, 0, UINT64_MAX}, {1, 2, 3, 1000, 5}};
  sets.emplace_back();
  for (int i = 0; i < 5'000; ++i) sets.back().push_back(random() >> (random() % 64));
  for (const auto& numbers : sets) {
    CHECK(best_coding(numbers, {true, true}) < NumberCoding::kCount);
    for (const NumberCoding coding : {NumberCoding::kLebs, NumberCoding::kDeltaLebs, NumberCoding::kPlanes,
                                      NumberCoding::kDeltaPlanes, NumberCoding::kScaled, NumberCoding::kDeltaScaled}) {
      std::vector<uint8_t> bytes;
      encode_numbers(numbers, coding, bytes);
      CHECK(numbers_in(bytes, coding, numbers.size()) == numbers);
      if (bytes.size() > 1)  // but planes of nothing but zeros
        CHECK(numbers_in(bytes, coding, numbers.size() + 1).size() < numbers.size() + 1);
    }
  }
}

TEST_CASE("archive: what was packed with bytes that were made ready comes back with these as its prefix") {
  std::mt19937 random(6);
  ZstdDictionaries ready;
  for (const bool trained : {false, true}) {  // as zstd would see it
    Content prefix = trained ? Content{0x37, 0xa4, 0x30, 0xec} : Content();
    for (int i = 0; i < 50'000; ++i) prefix.push_back(static_cast<uint8_t>(random() % 50));
    CHECK((ready.of(prefix, 9) == nullptr) == trained);
    CHECK(ready.of(prefix, 9) == ready.of(prefix, 9));
    for (const size_t size : {size_t{1}, size_t{2'000}, prefix.size(), 7 * prefix.size()}) {
      Content content, frame, back;
      for (size_t i = 0; i < size; ++i) content.push_back(prefix[(i * 3 + i / 1'000) % prefix.size()]);
      append_zstd(content, 14, prefix, frame, ready.of(prefix, 14));
      REQUIRE(take_zstd(frame, size, prefix, back));
      CHECK(back == content);
    }
  }
}

TEST_CASE("archive: a chunk comes back to the byte, and is smaller than what it was") {
  const Content chunk = some_chunk();
  const auto coded = encode_chunk(chunk);
  REQUIRE(coded.has_value());
  CHECK(restored(*coded, chunk.size()) == chunk);
  CHECK(pack_blocks(coded->blocks, 9, nullptr).size() < chunk.size() / 2);
  CHECK(coded->metadata.size() == 1);
}

TEST_CASE("damage: an event whose first fields are structs without fields is taken apart like others") {
  using Builder = ::test::RecordingBuilder;
  const std::vector<Builder::Member> none = {
      {"none", Builder::kMore}, {"duration", Builder::kMore}, {"number", Builder::kLong}};
  const std::vector<Builder::Member> started = {
      {"startTime", Builder::kLong}, {"duration", Builder::kMore}, {"number", Builder::kLong}};
  Builder builder({{Builder::kMore, "t.Empty", {}},
                   {Builder::kMore + 1, "t.None", none},
                   {Builder::kMore + 2, "t.Started", started}});
  const Content chunk = builder.other(Builder::kMore + 1, {5}).other(Builder::kMore + 2, {5, 6}).bytes();
  const auto coded = encode_chunk(chunk);
  REQUIRE(coded.has_value());
  CHECK(decode_chunk(coded->blocks, coded->metadata, chunk.size()).value() == chunk);
}

TEST_CASE("damage: what cannot be taken apart is kept as it is") {
  Content chunk = some_chunk();
  const auto whole = encode_chunk(chunk);
  REQUIRE(whole.has_value());
  int kept = 0;
  for (size_t at = kPieceHeadBytes; at < chunk.size(); at += 7) {
    Content damaged = chunk;
    damaged[at] ^= 0x85;
    const auto coded = encode_chunk(damaged);
    if (!coded) continue;  // its metadata cannot be read any more
    ++kept;
    CHECK(restored(*coded, damaged.size()) == damaged);
  }
  CHECK(kept > 20);
  chunk.resize(chunk.size() - 5);
  if (const auto cut = encode_chunk(chunk)) CHECK(restored(*cut, chunk.size()) == chunk);
}

TEST_CASE("damage: columns that were changed give an error or other bytes, and never more than the chunk") {
  const Content chunk = some_chunk(60);
  const auto coded = encode_chunk(chunk);
  REQUIRE(coded.has_value());
  const Content whole = pack_blocks(coded->blocks, 3, nullptr);
  const auto decoded = [&](const Content& packed, std::span<const std::span<const uint8_t>> metadata, uint64_t size) {
    const auto blocks = unpack_blocks(packed, block_limit(size), nullptr);
    return blocks ? decode_chunk(*blocks, metadata, size) : base::Error{base::ErrorCode::kCorrupt, 0, "blocks"};
  };
  for (size_t at = 0; at < whole.size(); ++at) {
    Content packed = whole;
    packed[at] ^= 0x41;
    const auto back = decoded(packed, coded->metadata, chunk.size());
    if (back) CHECK(back->size() == chunk.size());
  }
  CHECK(decoded(whole, coded->metadata, chunk.size()).ok());
  CHECK_FALSE(decoded(whole, {}, chunk.size()).ok());
  CHECK_FALSE(decoded(whole, coded->metadata, chunk.size() - 1).ok());
  CHECK_FALSE(decoded({}, coded->metadata, chunk.size()).ok());
}

TEST_CASE("archive: metadata comes back to the byte, in the order of a hash set too") {
  const Content chunk = some_chunk(1);
  const std::span<const uint8_t> content = metadata_content(chunk);
  REQUIRE(!content.empty());
  auto read = MetadataContent::read(content);
  REQUIRE(read.has_value());
  CHECK(std::ranges::equal(read->write(), content));
  const auto round_trip = [](const MetadataContent& each) {
    const Content bytes = each.write();
    const auto packed = encode_metadata(bytes);
    REQUIRE(packed.has_value());
    const Blocks* const words = metadata_words().blocks.get();
    CHECK(decode_metadata(*packed, bytes.size(), words) == bytes);
    for (size_t at = 0; at < packed->size(); ++at) {
      Content damaged = *packed;
      damaged[at] ^= 0x41;
      if (const auto back = decode_metadata(damaged, bytes.size(), words)) CHECK(back->size() == bytes.size());
    }
    return packed->size();
  };
  round_trip(*read);
  read->renumber(read->naming_order());
  std::vector<uint32_t> hashes, backwards;
  for (const MetadataText& text : read->texts) {
    hashes.push_back(text.java_hash());
    backwards.insert(backwards.begin(), static_cast<uint32_t>(backwards.size()));
  }
  read->renumber(set_order(hashes, 6));
  const size_t as_a_set = round_trip(*read);
  read->renumber(backwards);
  CHECK(as_a_set < round_trip(*read));
}

TEST_CASE("archive: the order of texts is that of java.util.HashSet") {
  std::vector<uint32_t> hashes;
  for (const std::string text : {"Aa", "b", "aa", "a", "BB"}) {
    JavaHash hash;
    for (const char unit : text) hash.add(static_cast<uint8_t>(unit));
    hashes.push_back(hash.get());
  }
  CHECK(hashes[0] == 2112);
  CHECK(hashes[0] == hashes[4]);
  CHECK(set_order(hashes, 4) == std::vector<uint32_t>{0, 2, 4, 3, 1});  // [Aa, aa, BB, a, b], as Java prints it
}

TEST_CASE("archive: metadata that is much like other metadata is a patch of it, and needs it") {
  Content content;
  std::mt19937 random(3);
  for (int i = 0; i < 20'000; ++i) content.push_back(static_cast<uint8_t>(random()));
  Content other = content;
  for (size_t at = 100; at < other.size(); at += 5'000) ++other[at];
  Content archive(8);
  const Content first = make_metadata_piece(content, archive.size(), {});
  const std::vector<MetadataBase> bases = {{archive.size(), content}};
  archive.insert(archive.end(), first.begin(), first.end());
  const uint64_t at = archive.size();
  const Content second = make_metadata_piece(other, at, bases);
  archive.insert(archive.end(), second.begin(), second.end());
  CHECK(second.size() < 1'000);
  CHECK(read_metadata_piece(archive, 8) == content);
  CHECK(read_metadata_piece(archive, at) == other);
  archive[8 + kPieceHeadBytes + 50] ^= 1;
  CHECK_FALSE(read_metadata_piece(archive, at).has_value());
}

TEST_CASE("archive: a chunk packed with another one is smaller, and is nothing without it") {
  const Content first = some_chunk(300), second = some_chunk(280);
  const auto base = encode_chunk(first), coded = encode_chunk(second);
  REQUIRE(base.has_value());
  REQUIRE(coded.has_value());
  const Content packed = pack_blocks(coded->blocks, 3, &base->blocks);
  CHECK(packed.size() < pack_blocks(coded->blocks, 3, nullptr).size() / 2);
  const auto blocks = unpack_blocks(packed, block_limit(second.size()), &base->blocks);
  REQUIRE(blocks.has_value());
  const auto back = decode_chunk(*blocks, coded->metadata, second.size());
  REQUIRE(back.ok());
  CHECK(back.value() == second);
  const auto without = unpack_blocks(packed, block_limit(second.size()), nullptr);
  CHECK_FALSE((without && decode_chunk(*without, coded->metadata, second.size()).ok()));
}

TEST_CASE("archive: members of several commits are found, and metadata is kept once") {
  const Workplace place;
  const auto file = jfr::read::MappedFile::open(archive_of(place, 5));
  REQUIRE(file.ok());
  CHECK(whole_members(file->bytes()) == 5);
  jfr::read::Problems problems;
  auto catalogue = Catalogue::read(file->bytes(), problems);
  REQUIRE(catalogue.ok());
  CHECK(problems.empty());
  CHECK(catalogue->metadata.size() == 1);
  CHECK(catalogue->find("m3")->name == "m3");
  CHECK(catalogue->find("m9") == nullptr);
  CHECK(catalogue->tail == Catalogue::Tail::kWhole);
}

TEST_CASE("damage: each bit of an archive that flips is noticed, and costs nothing") {
  const Workplace place;
  const auto file = jfr::read::MappedFile::open(archive_of(place, 3));
  REQUIRE(file.ok());
  const Content archive(file->bytes().begin(), file->bytes().end());
  jfr::read::Problems problems;
  const auto committed = Catalogue::read(archive, problems)->committed;
  const uint64_t parity = bands_of(archive).back().at;
  size_t unnoticed = 0, worst = 0;
  for (size_t at = 0; at < archive.size(); at += ::test::kThin) {
    if (at >= committed) at = std::max(at, parity);  // no fill
    Content flipped = archive;
    flipped[at] ^= static_cast<uint8_t>(1u << (at % 8));
    size_t told = 0;
    const int whole = whole_members(flipped, &told);
    if (told == 0) ++unnoticed;
    if (whole < 3) ++worst;
  }
  CHECK(unnoticed == 0);
  CHECK(worst == 0);
}

TEST_CASE("damage: of an archive cut at any length all members that were committed before are there") {
  const Workplace place;
  const auto file = jfr::read::MappedFile::open(archive_of(place, 3));
  REQUIRE(file.ok());
  std::vector<size_t> ends;
  for (int i = 1; i <= 3; ++i) {
    const Workplace other;
    ends.push_back(jfr::read::MappedFile::open(archive_of(other, i))->bytes().size());
  }
  for (size_t size = kArchiveHead.size(); size <= file->bytes().size(); size += ::test::kThin) {
    const auto committed = std::ranges::count_if(ends, [&](size_t end) { return end <= size; });
    CHECK(whole_members(file->bytes().first(size)) >= committed);
  }
}

TEST_CASE("archive: what a writer leaves half is gone with the next, which adds to what was there") {
  const Workplace place;
  const std::string path = archive_of(place, 2);
  {
    auto writer = ArchiveWriter::open(path);
    REQUIRE(writer.ok());
    REQUIRE(writer->add_piece(make_piece(PieceKind::kChunk, some_chunk(), 3)).ok());
    CHECK_FALSE(ArchiveWriter::open(path).ok());  // one at a time
  }
  const auto clean = jfr::read::MappedFile::open(path)->bytes().size();
  {
    Content bytes(100, 0x5a);
    std::FILE* file = std::fopen(path.c_str(), "ab");
    REQUIRE(file != nullptr);
    std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
  }
  CHECK(whole_members(jfr::read::MappedFile::open(path)->bytes()) == 2);
  { REQUIRE(ArchiveWriter::open(path).ok()); }
  CHECK(jfr::read::MappedFile::open(path)->bytes().size() == clean);
}

TEST_CASE("archive: a writer makes the parity that is missing behind an END") {
  const Workplace place;
  const std::string path = archive_of(place, 2);
  const auto size = jfr::read::MappedFile::open(path)->bytes().size();
  REQUIRE(::truncate(path.c_str(), static_cast<off_t>(size - 3)) == 0);
  {
    auto writer = ArchiveWriter::open(path);
    REQUIRE(writer.ok());
    CHECK(writer->catalogue().members.size() == 2);
    REQUIRE(writer->commit().ok());
  }
  size_t problems = 0;
  CHECK(whole_members(jfr::read::MappedFile::open(path)->bytes(), &problems) == 2);
  CHECK(problems == 0);
}

}  // namespace
}  // namespace jfr::archive::test
