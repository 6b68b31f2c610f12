// SPDX-License-Identifier: Apache-2.0
// What samples weigh, for people: 1.2 GB, 3.45 s, and samples by their number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jrec {

// unit: "bytes", "ns", or another one, whose name is not written.
std::string weight_text(uint64_t weight, std::string_view unit);

}  // namespace jrec
