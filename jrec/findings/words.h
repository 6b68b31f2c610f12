// SPDX-License-Identifier: Apache-2.0
// Numbers as findings say them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jrec {

std::string percent_words(double percent);  // "2.4 %", "31 %"
std::string time_words(double ns);          // "240 ms", "1 m 12 s"
std::string size_words(double bytes);       // "1.5 GB"
std::string rate_words(double per_second);  // "1,204", "0.3"
std::string count_words(double count);      // "1,204"
std::string times_words(uint64_t count);    // "once", "twice", "31 times"

// "samples of CPU time: 37, and this needs 200", "there are no samples of CPU time"
std::string too_few(uint64_t count, std::string_view what, uint64_t needed);
// "samples of allocations: 803, worth 5 of one weight, and this needs 100"
std::string worth_too_little(uint64_t count, double draws, std::string_view what, uint64_t needed);

// What matches a method's name, and nothing else, in -I.
std::string exactly(std::string_view name);

}  // namespace jrec
