// SPDX-License-Identifier: Apache-2.0
#include "recorder/spool/reserved.h"

#include <sys/mman.h>

#include <cassert>
#include <cstring>
#include <utility>

namespace rec {

Reserved::Reserved(Reserved&& other) noexcept
    : address_(std::exchange(other.address_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Reserved& Reserved::operator=(Reserved&& other) noexcept {
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Reserved::~Reserved() {
  if (address_) munmap(address_, bytes_);
}

bool Reserved::reserve(size_t bytes) {
  assert(address_ == nullptr && "reserved once: what is there would be lost");
  void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return false;
  madvise(address, bytes, MADV_NOHUGEPAGE);  // sparse: a huge page would be touched for one word
  address_ = address;
  bytes_ = bytes;
  return true;
}

void Reserved::clear() {
  assert(address_ != nullptr && "only what was reserved, and not leaked, is cleared");
  // Anonymous private memory reads as zero afterwards. Locked memory (mlockall) refuses: then it is zeroed by hand.
  if (madvise(address_, bytes_, MADV_DONTNEED) != 0) std::memset(address_, 0, bytes_);
}

}  // namespace rec
