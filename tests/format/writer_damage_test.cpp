// SPDX-License-Identifier: Apache-2.0
// A chunk must be a valid file whatever happens while it is written.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tests/format/writer_chunk.h"
#include "tests/thin.h"

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

TEST_CASE("damage: a copy taken after any system call of a chunk's life is a valid file") {
  Disk disk;
  size_t steps = 0, seen_samples = 0;
  disk.after_step = [&] {
    if (!std::filesystem::exists(disk.path("a.jfr"))) return;
    ++steps;
    CAPTURE(steps);
    size_t now = 0;
    CHECK(fault(disk, now) == "");
    CHECK(now >= seen_samples);  // nothing that was readable goes away
    seen_samples = now;
  };
  SUBCASE("whole writes") {}
  SUBCASE("writes and copies of a few bytes") { disk.longest_write = 31 + 4 * ::test::kThin; }
  ChunkFile chunk = open_chunk(disk, 40 * 1024);
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
  disk.fail = [](const std::string& call) { return call == "fallocate" || call == "pwrite" ? ENOSPC : 0; };
  const auto chunk = ChunkFile::create(disk.directory(), "a.jfr", kCapacity, kClock);
  REQUIRE_FALSE(chunk.ok());
  CHECK(chunk.error().code == ErrorCode::kSystem);
  CHECK(chunk.error().errno_value == ENOSPC);
  CHECK(chunk.error().what.find("No space left on device") != std::string::npos);
  CHECK(disk.names().empty());
}

TEST_CASE("damage: a disk with less room than a chunk may need takes what fits") {
  Disk disk;
  disk.fail = [](const std::string& call) { return call == "fallocate" ? ENOSPC : 0; };
  ChunkFile chunk = open_chunk(disk);
  REQUIRE(append_sample(chunk, 1).ok());
  CHECK(fault(disk) == "");
  disk.fail = [](const std::string& call) { return call == "pwrite" || call == "copy" ? ENOSPC : 0; };
  CHECK(append_sample(chunk, 2).error().errno_value == ENOSPC);
  disk.fail = [](const std::string& call) { return call == "copy" ? ENOSPC : 0; };
  CHECK_FALSE(chunk.close(sample::kStart, true).ok());
  CHECK(fault(disk) == "");
  CHECK(samples(disk) == 1);
  CHECK(walked(disk).count("rec.Filler") == 0);
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
    const base::Status failed = append_sample(chunk, 2);
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.error().errno_value == EIO);
    CHECK(fault(disk) == "");
    CHECK(samples(disk) == 1);
    CHECK_FALSE(append_sample(chunk, 3).ok());
    CHECK_FALSE(chunk.close(sample::kStart, true).ok());
    CHECK(fault(disk) == "");
    CHECK(samples(disk) == 1);
    CHECK(walked(disk).count("rec.Filler") == 0);  // nor is anything left of what failed
  }
}
