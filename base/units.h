// SPDX-License-Identifier: Apache-2.0
// Numbers with units, as users of JFR and of async-profiler write them: "10ms", "10 ms", "1h", "12m", "12M", "4096".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace base {

// A plain number, no sign. Nothing when it is not one, or does not fit 63 bits; so for all four.
std::optional<int64_t> parse_count(std::string_view text);

// Bytes: a number, or one with k, m or g (powers of 1024) in either case.
std::optional<int64_t> parse_size(std::string_view text);

// The same with a "b" behind it if one likes, and terabytes: "64kB", "2T", "100b".
std::optional<int64_t> parse_byte_size(std::string_view text);

// Nanoseconds: a number with ns, us, ms, s, m, h or d, a space between them allowed. A bare number counts bare_unit_ns;
// where that is 0 only a bare 0 is taken.
std::optional<int64_t> parse_duration(std::string_view text, int64_t bare_unit_ns);

// The shortest exact spelling: 50'000 is "50us", 1 << 20 is "1m".
std::string duration_text(int64_t ns);
std::string size_text(int64_t bytes);

}  // namespace base
