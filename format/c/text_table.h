// SPDX-License-Identifier: Apache-2.0
// TextTable numbers texts: the same text, the same number, from 1 on. 0 is none.
//
// Texts stay where they are. Hostile files can say the same long name in many texts (a class of a megabyte, and a
// hundred thousand methods of it), so there is a limit to their bytes in all.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "format/reader/key_table.h"

namespace jfr::c {

// Of any bytes, with the seed of this process.
uint64_t hash_bytes(const void* bytes, size_t size);

class TextTable {
 public:
  static constexpr uint64_t kLeastRoom = uint64_t{64} << 20;  // bytes of texts, however small the file is

  void set_room(uint64_t bytes) { room_ = bytes; }

  // Nothing when there is no room for a new one.
  std::optional<uint32_t> number_of(std::string_view text);
  // nullptr: there is no such number.
  const std::string* text(uint32_t number) const {
    return number == 0 || number > texts_.size() ? nullptr : &texts_[number - 1];
  }

 private:
  std::deque<std::string> texts_;
  read::KeyTable<uint32_t> by_hash_;
  uint64_t room_ = kLeastRoom;
};

}  // namespace jfr::c
