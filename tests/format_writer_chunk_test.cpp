// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "format/chunk_file.h"
#include "tests/format_writer_disk.h"
#include "tests/format_writer_sample.h"
#include "tests/format_writer_walk.h"

namespace {

using jfr::CheckpointBuilder;
using jfr::ChunkFile;
using jfr::ErrorCode;
using scratch::Disk;
using Names = std::vector<std::string>;

constexpr uint64_t kCapacity = 64 * 1024;
constexpr jfr::ChunkClock kClock = {1'700'000'000'000'000'000, sample::kStart};

ChunkFile open_chunk(const Disk& disk, uint64_t capacity = kCapacity) {
  auto chunk = ChunkFile::create(disk.directory(), "a.jfr", capacity, kClock);
  REQUIRE_MESSAGE(chunk.ok(), chunk.error().what);
  return std::move(*chunk);
}

// One flush with the sample `id` in it, at `id` seconds.
jfr::Status append_sample(ChunkFile& chunk, uint64_t id, bool with_constants = true, bool with_event = true) {
  CheckpointBuilder constants;
  jfr::ByteSink events;
  const int64_t now = sample::kStart + static_cast<int64_t>(id) * 1'000'000'000;
  if (with_constants) sample::constants(constants, id);
  if (with_event) sample::event(events, id, now - 500'000'000);
  return chunk.append(constants, events.bytes(), now);
}

walk::Chunk walked(const Disk& disk) { return walk::chunk(Disk::read(disk.path("a.jfr"))); }
size_t samples(const Disk& disk) { return walked(disk).count("jdk.ExecutionSample"); }

// What the walker has against the chunk; empty if nothing.
std::string fault(const Disk& disk) {
  try {
    const walk::Chunk chunk = walked(disk);
    if (!chunk.dangling.empty()) return "no constant " + std::to_string(chunk.dangling.begin()->second);
    if (!chunk.unchained.empty()) return "checkpoint not chained, at " + std::to_string(*chunk.unchained.begin());
    const int64_t now = sample::kStart + 100'000'000'000;
    for (const walk::Event& event : chunk.events)
      if (static_cast<int64_t>(event.start_ticks) < sample::kStart || static_cast<int64_t>(event.start_ticks) > now)
        return event.type + " at " + std::to_string(event.offset) + " has ticks " + std::to_string(event.start_ticks);
    return {};
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

}  // namespace

TEST_CASE("chunk: a new chunk is a valid file of its full size with one filler and no sample") {
  Disk disk;
  const ChunkFile chunk = open_chunk(disk, kCapacity + 5);
  CHECK(fault(disk) == "");
  CHECK(walked(disk).size == kCapacity);
  CHECK(walked(disk).events.size() == 1);
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
  const jfr::Status refused = chunk.append(fill_with(fits + 1), {}, sample::kStart);
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

TEST_CASE("damage: a copy taken after any system call of a chunk's life is a valid file") {
  Disk disk;
  size_t steps = 0, seen_samples = 0;
  disk.after_step = [&] {
    if (!std::filesystem::exists(disk.path("a.jfr"))) return;
    ++steps;
    CAPTURE(steps);
    CHECK(fault(disk) == "");
    const size_t now = samples(disk);
    CHECK(now >= seen_samples);  // nothing that was readable goes away
    seen_samples = now;
  };
  SUBCASE("whole writes") {}
  SUBCASE("writes and copies of at most 7 bytes") { disk.longest_write = 7; }
  ChunkFile chunk = open_chunk(disk, 16 * 1024);
  for (uint64_t id = 1; id <= 6; ++id) {
    REQUIRE(append_sample(chunk, id, id != 4, id != 3).ok() == true);
    if (id == 3) REQUIRE(append_sample(chunk, 4, true, false).ok());
  }
  REQUIRE(chunk.close(sample::kStart + 8'000'000'000, true).ok());
  CHECK(seen_samples == 5);
  CHECK(steps > 20);
}

// `cp` reads from front to back and takes its time: its header may be older than the segments behind it. What a reader
// then meets must hold together, though the constants of the youngest segments may not be chained.
TEST_CASE("race: a slow copy of a chunk that is being written holds together") {
  Disk disk;
  ChunkFile chunk = open_chunk(disk, 1 << 20);
  std::atomic<bool> done = false;
  std::atomic<size_t> copies = 0;
  std::atomic<bool> stopped = false;
  std::string broken;  // the copier's, until it is joined
  std::thread copier([&] {
    while (!done && !stopped) {
      try {
        walk::chunk(Disk::read(disk.path("a.jfr")));
        ++copies;
      } catch (const std::exception& failure) {
        broken = failure.what();
        stopped = true;
      }
    }
  });
  for (uint64_t id = 1; id <= 2000; ++id) REQUIRE(append_sample(chunk, id).ok());
  while (copies < 3 && !stopped)
    REQUIRE(append_sample(chunk, 1, false, false).ok());  // the header changes all the time
  done = true;
  copier.join();
  CHECK(broken == "");
  CHECK(copies >= 3);
}

TEST_CASE("damage: an event with a one-byte size at the front of a segment commits just as well") {
  Disk disk;
  ChunkFile chunk = open_chunk(disk);
  disk.after_step = [&] { CHECK_NOTHROW(walked(disk)); };
  CheckpointBuilder constants;
  sample::constants(constants, 1);
  jfr::ByteSink padded;
  sample::event(padded, 1, sample::kStart + 1);
  jfr::ByteSink events;
  events.leb(padded.size() - 3);
  events.raw(padded.bytes().subspan(4));
  REQUIRE(chunk.append(constants, events.bytes(), sample::kStart + 1).ok());
  CHECK(samples(disk) == 1);
}

TEST_CASE("damage: a full disk when the chunk is made leaves no file") {
  Disk disk;
  disk.fail = [](const std::string& call) { return call == "fallocate" ? ENOSPC : 0; };
  const auto chunk = ChunkFile::create(disk.directory(), "a.jfr", kCapacity, kClock);
  REQUIRE_FALSE(chunk.ok());
  CHECK(chunk.error().code == ErrorCode::kSystem);
  CHECK(chunk.error().errno_value == ENOSPC);
  CHECK(chunk.error().what.find("No space left on device") != std::string::npos);
  CHECK(disk.names().empty());
}

TEST_CASE("damage: a chunk whose name is taken, or that cannot be written, leaves no temporary") {
  Disk disk;
  SUBCASE("taken") {
    const ChunkFile chunk = open_chunk(disk);
    const auto second = ChunkFile::create(disk.directory(), "a.jfr", kCapacity, kClock);
    REQUIRE_FALSE(second.ok());
    CHECK(second.error().errno_value == EEXIST);
    CHECK(disk.names() == Names{"a.jfr"});
    CHECK(fault(disk) == "");
  }
  SUBCASE("write fails") {
    disk.fail = [](const std::string& call) { return call == "pwrite" ? EIO : 0; };
    CHECK_FALSE(ChunkFile::create(disk.directory(), "a.jfr", kCapacity, kClock).ok());
    CHECK(disk.names().empty());
  }
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

TEST_CASE("damage: a signal may interrupt every call") {
  Disk disk;
  disk.interruptions = 3;
  ChunkFile chunk = open_chunk(disk);
  disk.interruptions = 5;
  REQUIRE(append_sample(chunk, 1).ok());
  disk.interruptions = 5;
  REQUIRE(chunk.close(sample::kStart, true).ok());
  CHECK(disk.interruptions == 0);
  CHECK(fault(disk) == "");
  CHECK(samples(disk) == 1);
}

TEST_CASE("damage: whichever write fails, what was committed stays and the chunk takes nothing more") {
  for (int failing = 1; failing <= 3; ++failing) {
    CAPTURE(failing);
    Disk disk;
    ChunkFile chunk = open_chunk(disk);
    REQUIRE(append_sample(chunk, 1).ok());
    int writes = 0;
    disk.fail = [&](const std::string& call) { return call == "pwrite" && ++writes == failing ? EIO : 0; };
    const jfr::Status failed = append_sample(chunk, 2);
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.error().errno_value == EIO);
    CHECK(fault(disk) == "");
    CHECK(samples(disk) == 1);
    CHECK_FALSE(append_sample(chunk, 3).ok());
    CHECK_FALSE(chunk.close(sample::kStart, true).ok());
    CHECK(writes == failing);  // a writer that failed once writes no more
    CHECK(fault(disk) == "");
    CHECK(samples(disk) == 1);
  }
}

TEST_CASE(
    "damage: a disk too full for the trimmed copy leaves a closed chunk with its filler, and its blocks go back") {
  Disk disk;
  constexpr uint64_t kLarge = 4 << 20;
  ChunkFile chunk = open_chunk(disk, kLarge);
  REQUIRE(append_sample(chunk, 1).ok());
  disk.fail = [](const std::string& call) { return call == "copy" ? ENOSPC : 0; };
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
