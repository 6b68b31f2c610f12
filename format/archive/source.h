// SPDX-License-Identifier: Apache-2.0
// Source is where the bytes of an archive are: all in memory, as a mapped file is; or elsewhere, and then those that are asked
// for are brought.
//
//   read(at, size) --all of them are there--> the bytes
//                  --Fetch brings them-------> the bytes, in the place where all would lie
//                  --it cannot---------------> none, now and ever after: whoever has the Fetch knows why
//
// Small enough to be passed by value. The bytes, and the Fetch, must outlive it, and what it gives. Any thread, if the Fetch says so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace jfr::archive {

class Fetch {
 public:
  virtual ~Fetch() = default;
  // These bytes are in their place afterwards. False: they cannot be had.
  virtual bool fetch(uint64_t at, uint64_t size) = 0;
  // The first bytes of each of these places will be asked for: bringing them together may be quicker.
  virtual void expect(std::span<const uint64_t> places) = 0;
};

class Source {
 public:
  Source(std::span<const uint8_t> bytes) : bytes_(bytes) {}     // NOLINT: bytes are what an archive is
  Source(const std::vector<uint8_t>& bytes) : bytes_(bytes) {}  // NOLINT: likewise
  // bytes: the place for all of them.
  Source(std::span<const uint8_t> bytes, Fetch* fetch) : bytes_(bytes), fetch_(fetch) {}

  uint64_t size() const { return bytes_.size(); }

  // No more than there are.
  std::span<const uint8_t> read(uint64_t at, uint64_t size) const {
    const auto place = place_of(at, size);
    if (fetch_ != nullptr && !place.empty() && !fetch_->fetch(at, place.size())) return {};
    return place;
  }
  // Where they are, or will be: who looks at them reads them before.
  std::span<const uint8_t> place_of(uint64_t at, uint64_t size) const {
    const uint64_t begin = std::min<uint64_t>(at, bytes_.size());
    return bytes_.subspan(begin, std::min<uint64_t>(size, bytes_.size() - begin));
  }
  void expect(std::span<const uint64_t> places) const {
    if (fetch_ != nullptr) fetch_->expect(places);
  }

 private:
  std::span<const uint8_t> bytes_;
  Fetch* fetch_ = nullptr;
};

}  // namespace jfr::archive
