// SPDX-License-Identifier: Apache-2.0
// Mutation damages a recording in the ways that files are damaged, and in those that somebody would who means harm.
//
//   Victim victim(bytes)             the recording, and where its chunks are
//   Mutation m = mutate(victim, n)   the same n always makes the same damage
//
// All but a cut stays inside one chunk, so that the others are to be read as if nothing had happened: spared() says
// which those are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "format/reader/chunk_scanner.h"
#include "format/reader/event_walk.h"
#include "tests/format/reader_builder.h"

namespace test {

struct Victim {
  explicit Victim(Bytes recording) : bytes(std::move(recording)) {
    jfr::read::Problems problems;
    jfr::read::ChunkScanner scanner(bytes, problems);
    while (const auto extent = scanner.next()) chunks.push_back(*extent);
  }
  Bytes bytes;
  std::vector<jfr::read::ChunkExtent> chunks;
};

struct Mutation {
  std::string kind;
  Bytes bytes;
  size_t chunk = 0;     // that was hit
  bool behind = false;  // and all behind it

  bool spared(size_t other) const { return behind ? other < chunk : other != chunk; }
};

class Mutator {
 public:
  Mutator(const Victim& victim, uint64_t number) : victim_(victim), random_(number * 0x9e3779b97f4a7c15 + 1) {}

  Mutation run() {
    made_.bytes = victim_.bytes;
    made_.chunk = below(victim_.chunks.size());
    const jfr::read::ChunkExtent& chunk = victim_.chunks[made_.chunk];
    begin_ = chunk.offset;
    end_ = chunk.offset + chunk.size;
    switch (below(12)) {
      case 0: flip_bits(); break;
      case 1: fill(); break;
      case 2: cut(); break;
      case 3: swap(); break;
      case 4: take_out(); break;
      case 5: put_in(); break;
      case 6: header_field(); break;
      case 7:
        event(
            "size of an event", [](uint64_t type) { return type > 1; }, 0);
        break;
      case 8:
        event(
            "inside an event", [](uint64_t type) { return type > 1; }, kAnywhere);
        break;
      case 9:
        event(
            "inside the metadata", [](uint64_t type) { return type == 0; }, kAnywhere);
        break;
      case 10:
        event(
            "inside a checkpoint", [](uint64_t type) { return type == 1; }, kAnywhere);
        break;
      default:
        event(
            "head of a checkpoint", [](uint64_t type) { return type == 1; }, 24);
        break;
    }
    return std::move(made_);
  }

 private:
  static constexpr uint64_t kAnywhere = std::numeric_limits<uint64_t>::max();

  uint64_t below(uint64_t limit) { return limit == 0 ? 0 : random_() % limit; }
  uint64_t place() { return begin_ + below(end_ - begin_); }

  void flip_bits() {
    made_.kind = "bits flipped";
    for (uint64_t left = 1 + below(6); left > 0; --left) made_.bytes[place()] ^= static_cast<uint8_t>(1u << below(8));
  }

  void fill() {
    made_.kind = "bytes overwritten";
    const uint64_t at = place(), length = std::min(1 + below(300), end_ - at);
    const uint64_t what = below(3);
    for (uint64_t i = 0; i < length; ++i)
      made_.bytes[at + i] = what == 0 ? uint8_t{0} : what == 1 ? uint8_t{0xff} : static_cast<uint8_t>(random_());
  }

  void cut() {
    made_.kind = "cut";
    made_.behind = true;
    made_.bytes.resize(place());
  }

  void swap() {
    made_.kind = "blocks swapped";
    const uint64_t length = 1 + below((end_ - begin_) / 4);
    const uint64_t a = begin_ + below(end_ - begin_ - 2 * length), b = a + length + below(end_ - a - 2 * length);
    const auto at = [this](uint64_t i) { return made_.bytes.begin() + static_cast<ptrdiff_t>(i); };
    std::swap_ranges(at(a), at(a + length), at(b));
  }

  void take_out() {
    made_.kind = "block missing";
    const uint64_t at = place(), length = std::min(1 + below(500), end_ - at);
    const auto from = made_.bytes.begin() + static_cast<ptrdiff_t>(at);
    made_.bytes.erase(from, from + static_cast<ptrdiff_t>(length));
  }

  void put_in() {
    made_.kind = "block twice";
    // Not a whole header: that would be a chunk more, and no damage.
    const uint64_t from = begin_ + 4 + below(end_ - begin_ - 4), length = std::min(1 + below(500), end_ - from);
    const Bytes block(victim_.bytes.begin() + static_cast<ptrdiff_t>(from),
                      victim_.bytes.begin() + static_cast<ptrdiff_t>(from + length));
    const uint64_t at = begin_ + 1 + below(end_ - begin_ - 1);
    made_.bytes.insert(made_.bytes.begin() + static_cast<ptrdiff_t>(at), block.begin(), block.end());
  }

  // Sizes, counts and places that somebody might have forgotten.
  uint64_t hostile() {
    const uint64_t chunk = end_ - begin_, rest = victim_.bytes.size() - begin_;
    const uint64_t values[] = {0,
                               1,
                               2,
                               67,
                               68,
                               0x7f,
                               0x80,
                               0xffff,
                               0x0fffffff,
                               0x7fffffff,
                               0xffffffff,
                               uint64_t{1} << 32,
                               uint64_t{1} << 62,
                               uint64_t{1} << 63,
                               ~uint64_t{0},
                               ~uint64_t{7},
                               chunk,
                               chunk - 1,
                               chunk + 1,
                               rest,
                               rest + 1,
                               below(chunk),
                               random_()};
    return values[below(std::size(values))];
  }

  void header_field() {
    made_.kind = "header";
    const uint64_t field = below(10);
    if (field == 9) return put_byte(begin_ + 4 + below(4), static_cast<uint8_t>(random_()));   // version
    if (field >= 7) return put_byte(begin_ + 64 + below(4), static_cast<uint8_t>(random_()));  // state, flags
    const uint64_t value = hostile();
    for (uint64_t i = 0; i < 8; ++i) put_byte(begin_ + 8 + field * 8 + i, static_cast<uint8_t>(value >> (56 - 8 * i)));
  }

  void put_byte(uint64_t at, uint8_t byte) {
    if (at < end_) made_.bytes[at] = byte;
  }

  // A hostile number within the first `reach` bytes of an event.
  template <typename Wanted>
  void event(const char* kind, Wanted wanted, uint64_t reach) {
    made_.kind = kind;
    const std::span<const uint8_t> bytes(victim_.bytes);
    jfr::read::EventWalk walk(bytes.subspan(begin_, end_ - begin_), 68, {});
    std::vector<jfr::read::Event> events;
    for (jfr::read::Event event; walk.next(event);)
      if (wanted(event.type_id)) events.push_back(event);
    if (events.empty()) return flip_bits();
    const jfr::read::Event& hit = events[below(events.size())];
    put_number(begin_ + hit.at + below(std::min(reach, hit.size)), hostile());
  }

  void put_number(uint64_t at, uint64_t value) {
    for (int i = 0; i < 8 && value >= 0x80; ++i, value >>= 7) put_byte(at++, static_cast<uint8_t>(value | 0x80));
    put_byte(at, static_cast<uint8_t>(value));
  }

  const Victim& victim_;
  std::mt19937_64 random_;
  Mutation made_;
  uint64_t begin_ = 0, end_ = 0;  // of the chunk
};

inline Mutation mutate(const Victim& victim, uint64_t number) { return Mutator(victim, number).run(); }

}  // namespace test
