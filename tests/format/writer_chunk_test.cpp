// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/crc32c.h"
#include "tests/format/writer_chunk.h"

namespace {

using scratch::append_sample;
using scratch::CheckpointBuilder;
using scratch::ChunkFile;
using scratch::Disk;
using scratch::ErrorCode;
using scratch::fault;
using scratch::kCapacity;
using scratch::kClock;
using scratch::Names;
using scratch::open_chunk;
using scratch::samples;
using scratch::walked;

}  // namespace

TEST_CASE("chunk: a new chunk is a valid file of its full size with a checksum, one filler and no sample") {
  Disk disk;
  const ChunkFile chunk = open_chunk(disk, kCapacity + 5);
  CHECK(fault(disk) == "");
  CHECK(walked(disk).size == kCapacity);
  CHECK(walked(disk).events.size() == 2);
  CHECK(walked(disk).count("rec.Checksum") == 1);
  CHECK(walked(disk).count("rec.Filler") == 1);
  CHECK(walked(disk).flags == 1);
  CHECK(walked(disk).duration == 0);
  CHECK(disk.names() == Names{"a.jfr"});
  CHECK(chunk.path() == disk.path("a.jfr"));
}

TEST_CASE("chunk: only the owner may read it") {
  Disk disk;
  const mode_t saved = ::umask(0);
  ChunkFile chunk = open_chunk(disk);
  struct stat status = {};
  REQUIRE(::stat(chunk.path().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  REQUIRE(chunk.close(sample::kStart, false).ok());
  REQUIRE(::stat(disk.path("a.jfr").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  ::umask(saved);
}

TEST_CASE("chunk: what was appended is in the open file, closed or not") {
  Disk disk;
  ChunkFile chunk = open_chunk(disk);
  for (uint64_t id = 1; id <= 5; ++id) {
    REQUIRE(append_sample(chunk, id).ok());
    CHECK(fault(disk) == "");
    CHECK(samples(disk) == id);
    CHECK(walked(disk).duration == id * 1'000'000'000);
    CHECK(walked(disk).chained.size() == 1 + id);
  }
}

TEST_CASE("chunk: closing trims the file to what is in use and marks the last chunk") {
  Disk disk;
  for (const bool final_chunk : {false, true}) {
    ChunkFile chunk = open_chunk(disk);
    REQUIRE(append_sample(chunk, 1).ok());
    REQUIRE(chunk.close(sample::kStart + 7'000'000'000, final_chunk).ok());
    CHECK(fault(disk) == "");
    CHECK(walked(disk).size == chunk.size());
    CHECK(walked(disk).flags == (final_chunk ? 3 : 1));
    CHECK(walked(disk).duration == 7'000'000'000);
    CHECK(walked(disk).count("rec.Filler") == 0);
    CHECK(samples(disk) == 1);
    CHECK(disk.names() == Names{"a.jfr"});
    ::unlink(disk.path("a.jfr").c_str());
  }
}

TEST_CASE("golden: a segment is its events, its checkpoint, their checksum and the head of the next filler") {
  Disk disk;
  ChunkFile chunk = open_chunk(disk, kCapacity);
  const uint64_t start = chunk.size();
  CheckpointBuilder constants;
  constants.pool(jfr::TypeId::kSymbol).entry(7).text("run");
  jfr::ByteSink events;
  sample::event(events, 1, sample::kStart + 500'000'000);
  REQUIRE(chunk.append(constants, events.bytes(), sample::kStart + 1'000'000'000).ok());

  const uint64_t back = start + 14 - walked(disk).chained.back();  // from this checkpoint to the first one
  const uint64_t rest = kCapacity - start - 64;                    // of the file
  const auto low = [](uint64_t number, int shift) { return static_cast<uint8_t>((number >> shift & 0x7f) | 0x80); };
  // clang-format off
  std::vector<uint8_t> expected = {
      0x8e, 0x80, 0x80, 0x00, 0x0a, 0x80, 0xaa, 0xf2, 0xdd, 0xa9, 0x57, 0x01, 0x01, 0x05,        // the sample
      0xa5, 0x80, 0x80, 0x00, 0x01, 0x80, 0xf4, 0xa7, 0xcc, 0xab, 0x57,                  // checkpoint, 37 bytes, at 1 s
      0x80, 0x80, 0x80, 0x80, 0x80, 0x00,                                                // duration 0, aligns the end
      low(0 - back, 0), low(0 - back, 7), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,      // delta
      0x01, 0x01, 0x87, 0x01, 0x01, 0x07, 0x03, 0x03, 'r', 'u', 'n',                     // flush, one pool, one symbol
  };
  // clang-format on
  base::Crc32c sum;
  for (int shift = 56; shift >= 0; shift -= 8) sum.add(std::vector<uint8_t>{static_cast<uint8_t>(start >> shift)});
  sum.add(expected);
  std::vector<uint8_t> end_ticks(8);
  for (size_t i = 0; i < 8; ++i) end_ticks[i] = static_cast<uint8_t>((sample::kStart + 1'000'000'000) >> (56 - 8 * i));
  sum.add(end_ticks);
  const uint32_t crc = sum.value();
  const std::vector<uint8_t> end = {
      0x0d,         0x24,         0x80,          0xf4,         0xa7,
      0xcc,         0xab,         0x57,                                                          // 13 bytes, at 1 s
      low(crc, 0),  low(crc, 7),  low(crc, 14),  low(crc, 21), static_cast<uint8_t>(crc >> 28),  // the checksum
      low(rest, 0), low(rest, 7), low(rest, 14), 0x00,         0x1b,
      0x80,         0xf4,         0xa7,          0xcc,         0xab,
      0x57,  // filler to the end
  };
  expected.insert(expected.end(), end.begin(), end.end());
  const auto file = Disk::read(chunk.path());
  const auto at = file.begin() + static_cast<std::ptrdiff_t>(start);
  CHECK(std::vector<uint8_t>(at, at + static_cast<std::ptrdiff_t>(expected.size())) == expected);
  CHECK(chunk.size() == start + 64);
}

TEST_CASE("chunk: it begins no later than what is in it, on both clocks") {
  Disk disk;
  ChunkFile chunk = open_chunk(disk);
  chunk.begin_at_latest(sample::kStart + 5);
  chunk.begin_at_latest(sample::kStart - 3'000'000'000);
  REQUIRE(append_sample(chunk, 1).ok());
  CHECK(walked(disk).start_ticks == sample::kStart - 3'000'000'000);
  CHECK(walked(disk).start_nanos == static_cast<uint64_t>(kClock.start_unix_ns) - 3'000'000'000);
  CHECK(walked(disk).duration == 4'000'000'000);
  CHECK(fault(disk) == "");
}

TEST_CASE("chunk: it begins no earlier than the chunk before, by whichever clock says so first") {
  const auto begins = [](const jfr::ChunkClock& before) {
    Disk disk;
    ChunkFile chunk = open_chunk(disk);
    chunk.begin_at_latest(sample::kStart - 3'000, before);
    CHECK(chunk.clock().start_unix_ns - kClock.start_unix_ns == chunk.clock().start_ticks - kClock.start_ticks);
    return chunk.clock().start_ticks - kClock.start_ticks;
  };
  const auto earlier = [](int64_t unix_ns, int64_t ticks) {
    return jfr::ChunkClock{kClock.start_unix_ns - unix_ns, kClock.start_ticks - ticks};
  };
  CHECK(begins(earlier(5'000, 5'000)) == -3'000);
  CHECK(begins(earlier(2'000, 2'000)) == -2'000);
  CHECK(begins(earlier(1'900, 2'000)) == -1'900);
  CHECK(begins(earlier(2'000, 1'900)) == -1'900);
  CHECK(begins(earlier(-9'000, 5'000)) == -3'000);  // the wall clock was set back
}

TEST_CASE("chunk: constants alone, events alone and nothing at all are flushes too") {
  Disk disk;
  ChunkFile chunk = open_chunk(disk);
  REQUIRE(append_sample(chunk, 1, true, false).ok());
  CHECK(fault(disk) == "");
  CHECK(samples(disk) == 0);
  REQUIRE(append_sample(chunk, 1, false, true).ok());
  CHECK(fault(disk) == "");
  CHECK(samples(disk) == 1);
  const uint64_t size = chunk.size();
  REQUIRE(append_sample(chunk, 9, false, false).ok());
  CHECK(chunk.size() == size);
  CHECK(walked(disk).duration == 9'000'000'000);
  REQUIRE(chunk.close(sample::kStart, true).ok());
  CHECK(fault(disk) == "");
  CHECK(walked(disk).duration == 9'000'000'000);  // time does not go back
}

TEST_CASE("chunk: segments of any length keep the filler aligned") {
  Disk disk;
  ChunkFile chunk = open_chunk(disk);
  for (uint64_t id = 1; id <= 40; ++id) {
    CheckpointBuilder constants;
    constants.pool(jfr::TypeId::kSymbol).entry(id).text(std::string(id, 's'));
    REQUIRE(chunk.append(constants, {}, sample::kStart).ok());
    CHECK(chunk.size() % 8 == 0);
    CHECK(fault(disk) == "");
  }
}

TEST_CASE("chunk: what fits remaining() is taken to the last byte, and one byte more is refused without a trace") {
  Disk disk;
  ChunkFile chunk = open_chunk(disk);
  const auto fill_with = [&](size_t texts) {
    CheckpointBuilder constants;
    constants.pool(jfr::TypeId::kSymbol).entry(1).text(std::string(texts, 's'));
    return constants;
  };
  const size_t overhead = fill_with(20'000).body_size() - 20'000;
  const size_t fits = chunk.remaining() - overhead;
  const auto before = Disk::read(chunk.path());
  const base::Status refused = chunk.append(fill_with(fits + 1), {}, sample::kStart);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kLimit);
  CHECK(Disk::read(chunk.path()) == before);
  REQUIRE(chunk.append(fill_with(fits), {}, sample::kStart).ok());
  CHECK(fault(disk) == "");
  while (append_sample(chunk, 2 + chunk.size()).ok()) CHECK(fault(disk) == "");
  CHECK(chunk.remaining() < 400);
  REQUIRE(chunk.close(sample::kStart, true).ok());
  CHECK(fault(disk) == "");
}

TEST_CASE("chunk: a link laid in its way is not followed") {
  Disk disk;
  REQUIRE(::symlink(disk.path("elsewhere").c_str(), disk.path(".a.jfr.tmp").c_str()) == 0);
  CHECK_FALSE(ChunkFile::create(disk.directory(), "a.jfr", kCapacity, kClock).ok());
  CHECK(disk.names() == Names{".a.jfr.tmp"});
}

TEST_CASE("chunk: a file system that cannot allocate, rename carefully or copy in the kernel will do") {
  Disk disk;
  bool refused_rename = false;
  disk.fail = [&](const std::string& call) {
    if (call == "fallocate" || call == "punch") return EOPNOTSUPP;
    if (call == "copy") return EXDEV;
    if (call == "rename" && !refused_rename) {
      refused_rename = true;
      return EINVAL;
    }
    return 0;
  };
  ChunkFile chunk = open_chunk(disk);
  REQUIRE(append_sample(chunk, 1).ok());
  CHECK(fault(disk) == "");
  REQUIRE(chunk.close(sample::kStart, true).ok());
  CHECK(fault(disk) == "");
  CHECK(walked(disk).size == chunk.size());
}

TEST_CASE("damage: a disk too full for the trimmed copy gets its chunk trimmed in place") {
  Disk disk;
  ChunkFile chunk = open_chunk(disk, 4 << 20);
  REQUIRE(append_sample(chunk, 1).ok());
  disk.fail = [](const std::string& call) { return call == "copy" ? ENOSPC : 0; };
  CHECK(chunk.close(sample::kStart + 2'000'000'000, true).ok());
  CHECK_FALSE(chunk.left_untrimmed());
  CHECK(fault(disk) == "");
  CHECK(walked(disk).size == chunk.size());
  CHECK(walked(disk).flags == 3);
  CHECK(walked(disk).duration == 2'000'000'000);
  CHECK(samples(disk) == 1);
  CHECK(disk.names() == Names{"a.jfr"});
}

TEST_CASE("damage: a chunk that cannot be trimmed keeps its filler without its blocks, and is trimmed later") {
  Disk disk;
  constexpr uint64_t kLarge = 4 << 20;
  ChunkFile chunk = open_chunk(disk, kLarge);
  REQUIRE(append_sample(chunk, 1).ok());
  disk.fail = [](const std::string& call) { return call == "copy" || call == "ftruncate" ? ENOSPC : 0; };
  CHECK(chunk.close(sample::kStart + 2'000'000'000, true).ok());
  CHECK(fault(disk) == "");
  CHECK(walked(disk).size == kLarge);
  CHECK(walked(disk).flags == 3);
  CHECK(walked(disk).duration == 2'000'000'000);
  CHECK(samples(disk) == 1);
  CHECK(disk.names() == Names{"a.jfr"});
  struct stat status = {};
  REQUIRE(::stat(disk.path("a.jfr").c_str(), &status) == 0);
  CHECK(static_cast<uint64_t>(status.st_blocks) * 512 < kLarge / 2);

  REQUIRE(chunk.left_untrimmed());
  CHECK_FALSE(chunk.left_untrimmed()->trim().ok());
  CHECK(fault(disk) == "");
  CHECK(walked(disk).size == kLarge);
  disk.fail = nullptr;
  CHECK(chunk.left_untrimmed()->trim().ok());
  CHECK(fault(disk) == "");
  CHECK(walked(disk).size == chunk.size());
  CHECK(samples(disk) == 1);
  CHECK(chunk.left_untrimmed()->trim().error().code == ErrorCode::kUsage);  // it is another file by now
}

TEST_CASE("chunk: closing twice, or appending after it, is refused") {
  Disk disk;
  ChunkFile chunk = open_chunk(disk);
  REQUIRE(chunk.close(sample::kStart, false).ok());
  CHECK(chunk.close(sample::kStart, false).error().code == ErrorCode::kUsage);
  CHECK(append_sample(chunk, 1).error().code == ErrorCode::kUsage);
}

TEST_CASE("chunk: a capacity too small for the head or too large for one event is refused") {
  Disk disk;
  CHECK(ChunkFile::create(disk.directory(), "a.jfr", 1000, kClock).error().code == ErrorCode::kUsage);
  CHECK(ChunkFile::create(disk.directory(), "a.jfr", uint64_t{jfr::kMaxPaddedSize} + 1, kClock).error().code ==
        ErrorCode::kLimit);
  CHECK(disk.names().empty());
}

TEST_CASE("chunk: a chunk that was moved goes on where it was, and one that is dropped stays on disk") {
  Disk disk;
  {
    ChunkFile first = open_chunk(disk);
    REQUIRE(append_sample(first, 1).ok());
    ChunkFile second = std::move(first);
    REQUIRE(append_sample(second, 2).ok());
    CHECK_FALSE(append_sample(first, 3).ok());
  }
  CHECK(fault(disk) == "");
  CHECK(samples(disk) == 2);
}
