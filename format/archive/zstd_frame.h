// SPDX-License-Identifier: Apache-2.0
// zstd frames that refer to bytes which both sides have: the prefix.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

struct ZSTD_CDict_s;  // zstd's own name

namespace jfr::archive {

// Appends the frame to out. ready: the prefix, for that level (zstd_dictionaries.h), or null. Throws std::bad_alloc where
// zstd gets no memory; it refuses nothing else.
void append_zstd(std::span<const uint8_t> content, int level, std::span<const uint8_t> prefix,
                 std::vector<uint8_t>& out, const ZSTD_CDict_s* ready = nullptr);

// The content of a frame made with that prefix, of at most `limit` bytes. False: it is none.
bool take_zstd(std::span<const uint8_t> frame, uint64_t limit, std::span<const uint8_t> prefix,
               std::vector<uint8_t>& out);

}  // namespace jfr::archive
