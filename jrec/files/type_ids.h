// SPDX-License-Identifier: Apache-2.0
// TypeIds gives the types of recordings of different programs numbers that go together in one file.
//
// The JDK's reader keeps constants from one chunk to the next, by the number of their type and by their key. Both are
// free choices of each program, so the constants of two would mix. Here each program's types get numbers of their own;
// keys may then stay. Only events of the same name share a number: they have no constants, and tools count by it.
//
//   group 0    the first program: everything stays as it is
//   group 1..  event types: the number that the name has already, else a fresh one; all other types: fresh ones
//
// Programs are told apart by the caller. All metadata must have been seen by reserve() before the first is mapped:
// fresh numbers are above every number that occurs.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "format/reader/key_hash.h"
#include "format/reader/metadata.h"

namespace jrec {

class TypeIds {
 public:
  using Map = std::unordered_map<uint64_t, uint64_t, jfr::read::KeyHash>;  // of a chunk's numbers to those of the file

  void reserve(const jfr::read::Metadata& metadata);
  Map map(const jfr::read::Metadata& metadata, size_t group);

 private:
  uint64_t fresh() { return ++largest_; }

  uint64_t largest_ = 1;  // 0 and 1 are metadata and checkpoint
  std::map<std::string, uint64_t, std::less<>> events_;
  std::map<std::pair<size_t, uint64_t>, std::pair<std::string, uint64_t>> known_;  // group and number -> name, new one
};

// The metadata event at `at` with other numbers, as an event; another id too, so that it is not taken for what it was,
// and the ticks of its time. Numbers that the map does not have stay. The event must have been parsed before
// (Metadata::parse).
std::vector<uint8_t> renumbered_metadata(std::span<const uint8_t> chunk, uint64_t at, const TypeIds::Map& ids,
                                         uint64_t metadata_id, int64_t start_ticks);

}  // namespace jrec
