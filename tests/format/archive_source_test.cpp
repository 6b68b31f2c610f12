// SPDX-License-Identifier: Apache-2.0
// An archive that is elsewhere: what is asked for is fetched, and nothing else; what cannot be fetched is no damage and no endless search.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <vector>

#include "base/descriptor.h"
#include "format/archive/archive_writer.h"
#include "format/archive/catalogue.h"
#include "format/archive/part_reader.h"
#include "format/reader/mapped_file.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"

namespace jfr::archive::source_test {
namespace {

using ::test::Bytes;
using ::test::Workplace;

constexpr size_t kFarBytes = 4 << 20;

// Brings bytes of `from` one by one, and counts them. What nobody asked for stays 0xEE.
class FarAway : public Fetch {
 public:
  explicit FarAway(const Bytes& from) : here_(from.size(), 0xEE), from_(from), there_(from.size()) {}
  bool fetch(uint64_t at, uint64_t size) override {
    ++asked_;
    if (gone_) return false;
    for (uint64_t i = at; i < at + size; ++i) {
      fetched_ += there_[i] ? 0 : 1;
      there_[i] = true;
      here_[i] = from_[i];
    }
    return true;
  }
  void expect(std::span<const uint64_t>) override {}

  Source source() { return {std::span<const uint8_t>(here_), this}; }
  uint64_t fetched() const { return fetched_; }
  uint64_t asked() const { return asked_; }
  void go_away() { gone_ = true; }

 private:
  Bytes here_;
  const Bytes& from_;
  std::vector<bool> there_;
  uint64_t fetched_ = 0, asked_ = 0;
  bool gone_ = false;
};

Bytes noise(size_t size, uint32_t seed) {
  Bytes bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
  return bytes;
}

// Four members of noise, 4 MiB in all, and a recording.
Bytes far_archive(const Workplace& place) {
  const base::Descriptor file(::open(place.path("far.recz").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  auto writer = ArchiveWriter::make(file.fd());
  REQUIRE(writer.ok());
  for (uint32_t i = 0; i < 4; ++i) {
    const Bytes bytes = noise(kFarBytes / 4, i);
    const auto at = writer->add_piece(make_piece(PieceKind::kChunk, PieceCoding::kStored, bytes, bytes.size()));
    REQUIRE(at.ok());
    Member member;
    member.name = "noise" + std::to_string(i);
    member.size = bytes.size();
    Part part;
    part.piece = *at;
    part.size = bytes.size();
    member.parts.push_back(part);
    REQUIRE(writer->add_member(member).ok());
  }
  REQUIRE(writer->commit().ok());
  const auto mapped = read::MappedFile::open(place.path("far.recz"));
  return Bytes(mapped->bytes().begin(), mapped->bytes().end());
}

TEST_CASE("archive source: the catalogue and one part are read without the rest") {
  const Workplace place;
  const Bytes whole = far_archive(place);
  FarAway far(whole);
  const ArchiveBytes archive(far.source());
  read::Problems problems;
  const auto catalogue = Catalogue::read(archive, problems);
  REQUIRE(catalogue.ok());
  CHECK(problems.empty());
  CHECK(catalogue->members.size() == 4);
  CHECK(far.fetched() < whole.size() / 20);
  PartReader parts(archive);
  const auto part = parts.read(catalogue->members[2].parts[0]);
  REQUIRE(part.ok());
  CHECK(*part == noise(kFarBytes / 4, 2));
  CHECK(far.fetched() < whole.size() / 20 + kFarBytes / 4 + 4096);
  CHECK(archive.mended_blocks().empty());
}

TEST_CASE("damage: an archive elsewhere is mended as one that is here") {
  const Workplace place;
  Bytes whole = far_archive(place);
  whole[kFarBytes / 2 + 17] ^= 1;
  FarAway far(whole);
  const ArchiveBytes archive(far.source());
  read::Problems problems;
  const auto catalogue = Catalogue::read(archive, problems);
  REQUIRE(catalogue.ok());
  PartReader parts(archive);
  for (uint32_t i = 0; i < 4; ++i) {
    const auto part = parts.read(catalogue->members[i].parts[0]);
    REQUIRE(part.ok());
    CHECK(*part == noise(kFarBytes / 4, i));
  }
  CHECK(archive.mended_blocks().size() == 1);
}

TEST_CASE("damage: where nothing can be fetched any more, reading ends at once") {
  const Workplace place;
  const Bytes whole = far_archive(place);
  FarAway far(whole);
  const ArchiveBytes archive(far.source());
  read::Problems problems;
  const auto catalogue = Catalogue::read(archive, problems);
  REQUIRE(catalogue.ok());
  far.go_away();
  const uint64_t asked = far.asked();
  PartReader parts(archive);
  CHECK_FALSE(parts.read(catalogue->members[1].parts[0]).ok());
  CHECK(far.asked() - asked < 100);
  FarAway never(whole);
  never.go_away();
  read::Problems unsaid;
  CHECK_FALSE(Catalogue::read(ArchiveBytes(never.source()), unsaid).ok());
  CHECK(never.asked() < 100);
}

}  // namespace
}  // namespace jfr::archive::source_test
