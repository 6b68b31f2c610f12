// SPDX-License-Identifier: Apache-2.0
// Recordings of version 0.9 in an archive's columns.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <random>

#include "format/archive/chunk_packer.h"
#include "format/archive/metadata_piece.h"
#include "format/archive/old_chunk_codec.h"
#include "format/archive/part_reader.h"
#include "tests/format/old_builder.h"
#include "tests/jrec/commands.h"
#include "tests/thin.h"

namespace jfr::archive::test {

using ::test::Bytes;
using ::test::OldBuilder;

namespace {

OldBuilder& add_events(OldBuilder& builder, uint32_t seed) {
  std::mt19937 random(seed);
  builder.thread(7, "main").java_thread(1, 7).group(1, 0, "system").state(1, "STATE_RUNNABLE").frame_type(1, "Inlined");
  builder.simple_stack(5, "shop/Till", "ring").simple_stack(6, "shop/Cart", "add").stack(8, {50, 60, 50}).stack(9, {});
  builder.checkpoint(2000);
  int64_t ticks = 1000;
  for (int i = 0; i < 50; ++i) {
    builder.sample(ticks += random() % 100, 7, 5 + random() % 2);
    if (i % 3 == 0) builder.enter(ticks - 7, ticks, 7, 8, 50, random());
    if (i % 5 == 0) builder.cache(ticks, random()).lost(ticks, 7, 99);  // which no metadata describes
    if (i % 7 == 0)
      builder.order(ticks, u"caf\u00e9", {1, 2, static_cast<uint32_t>(i)}, 2).setting(ticks, 3, INT64_MIN, 20);
  }
  builder.simple_stack(12, "shop/Till", "close").checkpoint(3000);
  return builder;
}

Bytes two_old_chunks() {
  OldBuilder builder;
  add_events(builder, 1).next_chunk();
  return add_events(builder, 2).bytes();
}

// Declined, or the same bytes.
bool comes_back(const Bytes& bytes) {
  const auto coded = encode_old_chunks(bytes);
  if (coded) CHECK(decode_old_chunks(coded->blocks, coded->metadata, bytes.size()) == bytes);
  return coded.has_value();
}

Bytes metadata_of(const CodedOldChunks& coded) { return {coded.metadata[0].begin(), coded.metadata[0].end()}; }

PieceCoding coding_in(const std::string& archive, const Bytes& recording) {
  auto writer = ArchiveWriter::open(archive);
  REQUIRE(writer.ok());
  return read_head(ChunkPacker(*writer, kUsualLevel).pack_bytes(recording).piece)->coding;
}

}  // namespace

TEST_CASE("archive: chunks of version 0.9 come back to the byte, and are smaller in columns") {
  const Bytes recording = two_old_chunks();
  CHECK(comes_back(recording));
  const auto coded = encode_old_chunks(recording);
  REQUIRE(coded.has_value());
  CHECK(coded->metadata.size() == 2);
  size_t packed = pack_blocks(coded->blocks, kUsualLevel, nullptr).size();
  packed += make_metadata_piece(coded->metadata[0], 16, {}).size();
  packed += make_metadata_piece(coded->metadata[1], 5'000, std::array{MetadataBase{16, metadata_of(*coded)}}).size();
  CHECK(packed < make_piece(PieceKind::kChunk, recording, kBestLevel).size());
  CHECK(comes_back(OldBuilder().bytes()));
  CHECK_FALSE(comes_back({}));
  CHECK_FALSE(comes_back(Bytes(500, 1)));
}

TEST_CASE("damage: what cannot be taken apart of a recording of version 0.9 stays as it is") {
  const Bytes recording = two_old_chunks();
  Bytes longer = recording;
  longer.insert(longer.end(), {1, 2, 3});
  CHECK(comes_back(longer));
  CHECK(comes_back(Bytes(recording.begin(), recording.end() - 1)));  // its first chunk is whole
  OldBuilder broken;
  CHECK(comes_back(add_events(broken.raw({0, 0, 0, 200, 0, 0, 0, 3, 1}), 3).bytes()));  // an event beyond the end
  OldBuilder small;
  CHECK(comes_back(add_events(small.raw({0, 0, 0, 4, 0, 0, 0, 3}), 3).bytes()));
  size_t apart = 0, all = 0;
  for (size_t at = 0; at < recording.size(); at += 3 * ::test::kThin) {
    Bytes changed = recording;
    changed[at] ^= static_cast<uint8_t>(1u << at % 8);
    apart += comes_back(changed);
    ++all;
  }
  CHECK(apart > all / 2);
}

TEST_CASE("damage: columns of version 0.9 that were changed give as many bytes as they say, or none") {
  const Bytes recording = two_old_chunks();
  const auto coded = encode_old_chunks(recording);
  REQUIRE(coded.has_value());
  std::mt19937 random(4);
  for (int round = 0; round < 3'000; round += ::test::kThin) {
    Blocks changed = coded->blocks;
    Bytes description = metadata_of(*coded);
    if (random() % 3 == 0) description[random() % description.size()] ^= static_cast<uint8_t>(random());
    const std::vector<std::span<const uint8_t>> metadata = {description, coded->metadata[1]};
    for (std::vector<uint8_t>* block : {&changed.front, &changed.texts, &changed.modelled})
      if (!block->empty() && random() % 2 == 0) (*block)[random() % block->size()] ^= static_cast<uint8_t>(random());
    const auto back = decode_old_chunks(changed, metadata, recording.size());
    if (back) CHECK(back->size() == recording.size());
  }
}

TEST_CASE("archive: readers of older archives are given no columns of version 0.9") {
  const ::test::Workplace place;
  const Bytes recording = two_old_chunks();
  CHECK(coding_in(place.path("new.recz"), recording) == PieceCoding::kOldColumns);
  for (const std::string version : {"v2", "v3", "v4", "v5"}) {
    const std::string path = place.path(version);
    std::filesystem::copy_file(std::string(REC_SOURCE_ROOT) + "/tests/golden/archive_" + version + ".recz", path);
    CHECK(coding_in(path, recording) != PieceCoding::kOldColumns);
  }
}

}  // namespace jfr::archive::test
