// SPDX-License-Identifier: Apache-2.0
// Lines of a key and a number, which the kernel's text files are made of:
//
//   "VmRSS:\t  1234 kB"  "ctxt 1234"  "oom_kill 0"  "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234"
//
// Whatever the text is, no more than it is read; what is no number, negative, or too large is kNotTold.
#pragma once

#include <cstdint>
#include <string_view>

namespace rec::agent {

inline constexpr int64_t kNotTold = -1;

// The number of the line that begins with `key` and then space, tab, colon, or `=`; in bytes if "kB" follows.
int64_t number_of(std::string_view text, std::string_view key);
// Of a text that is a number alone, as the files of control groups are; "max" is kNotTold.
int64_t lone_number(std::string_view text);
// Of a line as in memory.pressure: the number behind `key=`, in the line that begins with `line`.
int64_t number_in_line(std::string_view text, std::string_view line, std::string_view key);

// In a smaller unit; kNotTold: it is not told, or too large.
constexpr int64_t times(int64_t number, int64_t unit) {
  return number == kNotTold || number > INT64_MAX / unit ? kNotTold : number * unit;
}

}  // namespace rec::agent
