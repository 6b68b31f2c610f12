// SPDX-License-Identifier: Apache-2.0
// Sizes as a user types them: 100, 64k, 20M, 2g; powers of 1024.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace jrec {

std::optional<uint64_t> parse_byte_size(std::string_view text);

}  // namespace jrec
