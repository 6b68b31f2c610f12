// SPDX-License-Identifier: Apache-2.0
// ChunkBytes is a chunk that is being put together. Who writes asks for room for the most that may come, writes by a
// pointer, and says where it ended:
//
//   out.set_end(base::put_leb(value, out.room(base::kLebMostBytes)));
//
// Memory grows with what is written: the size that was promised is believed as far as kBelieved only.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/huge_pages.h"
#include "base/leb128.h"

namespace jfr::archive {

class ChunkBytes {
 public:
  // promised: bytes that it will have.
  explicit ChunkBytes(uint64_t promised) : promised_(promised) {
    bytes_.reserve(std::min<uint64_t>(promised, kBelieved) + kSpare);
    base::want_huge_pages(bytes_.data(), bytes_.capacity());
  }

  uint64_t size() const { return size_; }
  uint64_t promised() const { return promised_; }
  // A record's size may take less than the room that was left for it.
  bool fits() const { return size_ <= promised_ + base::kLebMostBytes; }

  // At its end. Good until the next call.
  uint8_t* room(size_t most) {
    if (bytes_.size() - size_ < most) grow(most);
    return bytes_.data() + size_;
  }
  void set_end(const uint8_t* end) {
    size_ = static_cast<size_t>(end - bytes_.data());
    assert(size_ <= bytes_.size() && "who writes had the room");
  }

  void append(std::span<const uint8_t> bytes) {
    if (bytes_.size() - size_ >= bytes.size()) return set_end(std::ranges::copy(bytes, bytes_.data() + size_).out);
    bytes_.resize(size_);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    size_ = bytes_.size();
  }

  // What stands from there on, to be moved.
  uint8_t* from(uint64_t at) { return bytes_.data() + at; }

  std::vector<uint8_t> take() {
    bytes_.resize(size_);
    return std::move(bytes_);
  }

 private:
  static constexpr size_t kSpare = 4'096, kStep = 1u << 20;
  static constexpr uint64_t kBelieved = 64u << 20;

  void grow(size_t most) {
    const size_t need = size_ + most, step = std::max(kStep, size_ / 2);
    bytes_.resize(std::max<uint64_t>(need, std::min<uint64_t>(size_ + step, promised_ + kSpare)));
  }

  const uint64_t promised_;
  std::vector<uint8_t> bytes_;  // behind size_ is room
  size_t size_ = 0;
};

}  // namespace jfr::archive
