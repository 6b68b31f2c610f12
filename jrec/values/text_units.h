// SPDX-License-Identifier: Apache-2.0
// Numbers with their units, as `jfr print` shows them to people: 12.3 ms, 1 m 30 s, 4.5 MB, 0x7F00, 11:22:22.164.
#pragma once

#include <cstdint>
#include <string>

#include "jrec/values/whole.h"

namespace jrec {

// 0.0306 ms, 306 ms, 1.54 s, 2 m 5 s, 1 h 0 m, 12 d 4 h: three digits, or two units. nanos counts forward from seconds.
void append_span(int64_t seconds, int32_t nanos, std::string& out);

// Steps of 1024: 1 byte, 512 bytes, 30.8 kB; per second 512 byte/s, 30.8 kB/s.
void append_bytes(Whole bytes, bool per_second, std::string& out);

// Steps of 1024: 1 bit, 512 bits, 12.8 kbit; per second 512 bps, 12.8 kbps.
void append_bits(Whole bits, bool per_second, std::string& out);

// A share of one: 0.125 is 12.50%.
void append_percent(double share, std::string& out);

// Time of day and date: 11:22:22.164 (2023-11-20).
void append_clock_time(int64_t unix_s, int32_t nanos, int32_t utc_offset_s, std::string& out);

// As java.lang prints it: 0.5, 3.4028235E38, NaN.
void append_java_real(float value, std::string& out);
void append_java_real(double value, std::string& out);

}  // namespace jrec
