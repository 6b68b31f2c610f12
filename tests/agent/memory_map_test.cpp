// SPDX-License-Identifier: Apache-2.0
#include "agent/process/memory_map.h"

#include <doctest/doctest.h>

using namespace rec::agent;

namespace {

constexpr std::string_view kMap =
    "00400000-00401000 r-xp 00000000 fe:00 1234                       /usr/bin/java\n"
    "Size:                  4 kB\nRss:                   4 kB\nPss:                   1 kB\nSwap:                  0 "
    "kB\n"
    "01000000-01021000 rw-p 00000000 00:00 0                          [heap]\n"
    "Rss:                 132 kB\nPss:                 132 kB\nSwap:                  8 kB\n"
    "e0000000-f0000000 rw-p 00000000 00:00 0 \n"
    "Rss:               65536 kB\nPss:               65536 kB\n"
    "7f0000000000-7f0000021000 rw-p 00000000 00:00 0 \n"
    "Rss:                  16 kB\n"
    "7f0000021000-7f0004000000 ---p 00000000 00:00 0 \n"
    "Rss:                   0 kB\n"
    "7f0008000000-7f0008001000 ---p 00000000 00:00 0 \n"
    "Rss:                   0 kB\n"
    "7f0008001000-7f0008801000 rw-p 00000000 00:00 0 \n"
    "Rss:                  64 kB\n"
    "7f0009000000-7f0009001000 rwxp 00000000 00:00 0 \n"
    "Rss:                  40 kB\n"
    "7f000a000000-7f000a001000 rw-s 00000000 00:01 77                 /memfd:java_heap (deleted)\n"
    "Rss:                3000 kB\nPss:                1000 kB\n"
    "7f000b000000-7f000b001000 rw-s 00000000 00:01 78                 /dev/shm/a b\n"
    "Rss:                   5 kB\n"
    "7ffe00000000-7ffe00021000 rw-p 00000000 00:00 0                  [stack]\n"
    "Rss:                  12 kB\n";
constexpr KnownPlaces kKnown = {0xe0000000, 0xf0000000, 0x7f0009000000, 0x7f000a000000};

int64_t kilobytes(const MemorySums& sums, MemoryKind kind) { return sums.of(kind) / 1024; }

}  // namespace

TEST_CASE("memory is told apart by the kind of its mapping") {
  MemorySums sums(kKnown);
  sums.add(kMap);
  CHECK(kilobytes(sums, MemoryKind::kHeap) == 65536 + 1000);
  CHECK(kilobytes(sums, MemoryKind::kCode) == 40);
  CHECK(kilobytes(sums, MemoryKind::kStacks) == 64 + 12);
  CHECK(kilobytes(sums, MemoryKind::kNative) == 132 + 16);
  CHECK(kilobytes(sums, MemoryKind::kFiles) == 4);
  CHECK(kilobytes(sums, MemoryKind::kShared) == 5);
  CHECK(sums.swapped() == 8 * 1024);
}

TEST_CASE("memory is the same wherever the text is cut") {
  for (size_t cut = 1; cut < kMap.size(); cut += 7) {
    MemorySums sums(kKnown);
    sums.add(kMap.substr(0, cut));
    sums.add(kMap.substr(cut));
    CHECK(kilobytes(sums, MemoryKind::kStacks) == 76);
    CHECK(kilobytes(sums, MemoryKind::kHeap) == 66536);
  }
}

TEST_CASE("damage: a map that is none has no memory, and long lines end") {
  MemorySums sums(kKnown);
  sums.add("Rss: x kB\nzz-yy rw-p\n7f00-\n7f00\n-\n\n \nRss: -4 kB\nRss: 99999999999999999999 kB\n");
  sums.add(std::string(1 << 20, 'a'));
  sums.add("\n7f0000000000-7f0000001000\n7f0000000000-7f0000001000 \nRss: 4 kB\n");
  CHECK(sums.of(MemoryKind::kNative) == 4096);
  CHECK(sums.of(MemoryKind::kHeap) == 0);
}
