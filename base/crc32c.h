// SPDX-License-Identifier: Apache-2.0
// Crc32c says whether bytes are those that were written: CRC-32C (Castagnoli), as iSCSI and ext4 have it. It finds
// every burst of damage up to 32 bits, and any other but for one in 2^32. It keeps nobody from changing bytes on purpose.
//
//   Crc32c sum;
//   sum.add(head), sum.add(body);     the same as of both in one piece
//   sum.value() == stored
//
// Allocates nothing. The processor's own instruction takes 8 bytes in 3 cycles, of more than 3 KiB in one; where there
// is none, tables take half as many as in 3.
#pragma once

#include <cstdint>
#include <span>

namespace base {

class Crc32c {
 public:
  void add(std::span<const uint8_t> bytes);
  void add_by_tables(std::span<const uint8_t> bytes);  // the same on any processor
  uint32_t value() const { return ~state_; }

 private:
  uint32_t state_ = UINT32_MAX;
};

inline uint32_t crc32c(std::span<const uint8_t> bytes) {
  Crc32c sum;
  sum.add(bytes);
  return sum.value();
}

}  // namespace base
