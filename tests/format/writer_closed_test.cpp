// SPDX-License-Identifier: Apache-2.0
// A chunk whose descriptor somebody else in the process closes, and has the number of for a file of his own.
#include <fcntl.h>
#include <unistd.h>

#include "tests/format/writer_chunk.h"

namespace {

using namespace scratch;

// The number of the descriptor on that file; -1: there is none.
int number_of(const std::string& path) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (std::filesystem::read_symlink(entry.path(), gone) == path) return std::stoi(entry.path().filename());
  }
  return -1;
}

// The number of the chunk's descriptor, which is of another file now.
int take_number(const Disk& disk) {
  const int number = number_of(disk.path("a.jfr"));
  REQUIRE(number >= 0);
  const int other = open(disk.path("db.dat").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  REQUIRE(dup3(other, number, O_CLOEXEC) == number);
  close(other);
  REQUIRE(write(number, "hello", 5) == 5);
  return number;
}

// Still somebody's, as he wrote it.
void check_untouched(const Disk& disk, int number) {
  CHECK(Disk::read(disk.path("db.dat")).size() == 5);
  CHECK(write(number, "world", 5) == 5);
  close(number);
  CHECK(Disk::read(disk.path("db.dat")) == std::vector<uint8_t>{'h', 'e', 'l', 'l', 'o', 'w', 'o', 'r', 'l', 'd'});
}

TEST_CASE("a chunk whose descriptor somebody closed is written by another, and what has its number stays as it is") {
  const Disk disk;
  ChunkFile chunk = open_chunk(disk);
  CHECK(append_sample(chunk, 1).ok());
  CHECK_FALSE(chunk.opened_again());
  const int number = take_number(disk);
  SUBCASE("before more is written") { CHECK(append_sample(chunk, 2).ok()); }
  SUBCASE("before it is closed") {}
  CHECK(chunk.close(sample::kStart + 3'000'000'000, true).ok());
  CHECK(chunk.opened_again());
  CHECK_FALSE(chunk.is_open());
  check_untouched(disk, number);
  size_t count = 0;
  CHECK(fault(disk, count) == "");
  CHECK(count >= 1);
}

TEST_CASE("a chunk that is closed and removed behind its back is gone, and what has its number stays as it is") {
  const Disk disk;
  ChunkFile chunk = open_chunk(disk);
  CHECK(append_sample(chunk, 1).ok());
  const int number = take_number(disk);
  CHECK_FALSE(chunk.gone());
  std::filesystem::remove(disk.path("a.jfr"));
  CHECK(chunk.gone());
  CHECK_FALSE(append_sample(chunk, 2).ok());
  CHECK_FALSE(chunk.close(sample::kStart + 3'000'000'000, true).ok());
  check_untouched(disk, number);
}

TEST_CASE("a chunk that goes away unclosed leaves its number to whoever has it") {
  const Disk disk;
  int number = -1;
  {
    const ChunkFile chunk = open_chunk(disk);
    number = take_number(disk);
  }
  check_untouched(disk, number);
}

}  // namespace
