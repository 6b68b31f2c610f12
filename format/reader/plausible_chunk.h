// SPDX-License-Identifier: Apache-2.0
// Whether a chunk of version 1 or 2 may begin somewhere: more than its magic, as chunk_scanner.h says.
#pragma once

#include <cstdint>
#include <span>

namespace jfr::read {

// `rest` goes up to the end of the file.
bool is_plausible_chunk(std::span<const uint8_t> rest);

// Whether the header at `at` is but the copy that the JDK writes with each flush: an array of bytes at the end of a checkpoint, the
// newest of the chunk that the copy describes. Nothing else is asked of the file, since the header of that chunk may be lost.
bool is_header_copy(std::span<const uint8_t> file, uint64_t at);

}  // namespace jfr::read
