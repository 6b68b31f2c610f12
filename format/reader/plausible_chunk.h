// SPDX-License-Identifier: Apache-2.0
// Whether a chunk of version 1 or 2 may begin somewhere: more than its magic, as chunk_scanner.h says.
#pragma once

#include <cstdint>
#include <span>

namespace jfr::read {

// `rest` goes up to the end of the file.
bool is_plausible_chunk(std::span<const uint8_t> rest);

}  // namespace jfr::read
