// SPDX-License-Identifier: Apache-2.0
// A chunk that is read while it is written: what a reader has of it is what it was at one instant.
#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>

#include "format/reader/chunk_flaws.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/mapped_file.h"
#include "format/reader/open_chunk.h"
#include "tests/format/writer_chunk.h"

namespace {

using namespace jfr::read;

// What a reader has against the chunk; empty if nothing. It looks for a while, as it would at a large one.
std::string flaws_of(const std::string& path, size_t& events) {
  const auto file = MappedFile::open(path);
  REQUIRE(file.ok());
  Problems problems;
  ChunkScanner scanner(file->bytes(), problems);
  const auto extent = scanner.next();
  REQUIRE(extent);
  Chunk chunk(file->bytes(), *extent, problems);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EventWalk walk = chunk.events();
  events = 0;
  for (Event event; walk.next(event);) ++events;
  note_flaws(chunk);
  return problems.empty() ? "" : problems.kept().front().what;
}

}  // namespace

TEST_CASE("race: a chunk that is written while it is read has no flaw, large or small, and grows from look to look") {
  for (const uint64_t capacity : {uint64_t{60} * 1024, uint64_t{1} << 20}) {
    const scratch::Disk disk;
    scratch::ChunkFile chunk = scratch::open_chunk(disk, capacity);
    std::atomic<bool> full{false};
    std::thread writer([&] {
      for (uint64_t id = 1; id < 90 && scratch::append_sample(chunk, id).ok(); ++id)
        std::this_thread::sleep_for(std::chrono::microseconds(700));
      full = true;
    });
    size_t looks = 0, last = 0;
    while (!full || looks < 2) {
      size_t events = 0;
      CHECK(flaws_of(disk.path("a.jfr"), events) == "");
      CHECK(events >= last);
      last = events;
      ++looks;
    }
    writer.join();
    CHECK(last > 4);
  }
}

TEST_CASE("only a chunk that ends with its filler is taken for one that is still written") {
  const scratch::Disk disk;
  scratch::ChunkFile chunk = scratch::open_chunk(disk);
  CHECK(is_open_chunk(scratch::Disk::read(disk.path("a.jfr"))));
  REQUIRE(scratch::append_sample(chunk, 1).ok());
  CHECK(is_open_chunk(scratch::Disk::read(disk.path("a.jfr"))));
  REQUIRE(chunk.close(sample::kStart + 7'000'000'000, false).ok());
  const auto closed = scratch::Disk::read(disk.path("a.jfr"));
  CHECK_FALSE(is_open_chunk(closed));
  for (size_t size = 0; size <= closed.size(); ++size) CHECK_FALSE(is_open_chunk(std::span(closed).first(size)));
}
