// SPDX-License-Identifier: Apache-2.0
#include "agent/process/mapped_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>

using namespace rec::agent;

namespace {

constexpr char kMaps[] =
    "1000-3000 r-xp 00000000 08:01 17                         /lib/libc.so.6\n"
    "3000-4000 rw-p 00000000 00:00 0\n"
    "5000-7000 r--s 00000000 08:01 18                         /data/a file\n"
    "7000-9000 r--s 00000000 08:01 19                         /data/b\n"
    "a000-b000 rw-p 00000000 00:00 0                          [heap]\n";

std::string file_of(std::initializer_list<uint64_t> addresses, std::string_view maps = kMaps) {
  return mapped_file_of({addresses.begin(), addresses.size()}, maps);
}

}  // namespace

TEST_CASE("the mapped file is the one that most addresses lead into, and neither code nor memory") {
  CHECK(file_of({0x5000}) == "/data/a file");
  CHECK(file_of({0x6fff, 0x7000, 0x8fff}) == "/data/b");
  CHECK(file_of({0x1000, 0x3000, 0xa000, 0x9000, 0}) == "");
  CHECK(file_of({}) == "");
}

TEST_CASE("damage: lines that are no mappings are left out") {
  CHECK(file_of({0x5000}, "") == "");
  CHECK(file_of({0x5000}, "5000\n5000-\n5000-7000\n5000-7000 r\nzz-yy r--s 0 0 0 /x\n") == "");
}

TEST_CASE("a file that this process has mapped is found") {
  char path[] = "/tmp/rec-mapped-XXXXXX";
  const int fd = mkstemp(path);
  REQUIRE(ftruncate(fd, 4096) == 0);
  void* at = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fd, 0);
  const std::array<uint64_t, 1> addresses = {reinterpret_cast<uint64_t>(at) + 100};
  CHECK(mapped_file_of(addresses) == path);
  munmap(at, 4096);
  close(fd);
  unlink(path);
}
