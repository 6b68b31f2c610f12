// SPDX-License-Identifier: Apache-2.0
// A sketch of bytes: what zstd would make of them, told without packing them. It knows how often each byte comes, and
// where four bytes come again; not what an entropy coder's tables take.
#pragma once

#include <cstdint>
#include <span>

namespace jfr::archive {

// Bits that they take when they are packed, more or less. Less than 2^16 bytes.
double packed_bits(std::span<const uint8_t> bytes);

}  // namespace jfr::archive
