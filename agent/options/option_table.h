// SPDX-License-Identifier: Apache-2.0
// The table of all options: each row is an option's one and only definition. Parsing, `help` and docs/options.md follow
// from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/options/options.h"

namespace rec::agent {

enum class OptionKind : uint8_t {
  kText,      // any, not empty
  kSize,      // bytes: INT, k, m or g in either case
  kDuration,  // ns: INT and ns, us, ms, s, m, h or d; a bare number only where the row gives it a unit
  kCount,     // INT
  kTimes,     // up to five times with colons between
  kChoice,    // one of a few words
  kWord,      // the key alone, without a value
};

// What was read for a row; which member counts follows from the kind.
struct OptionValue {
  std::string text;    // kText
  int64_t number = 0;  // kSize, kDuration (ns), kCount; kChoice: index of the word
  // kTimes (ns)
  std::vector<int64_t> numbers;
};

inline constexpr int64_t kOff = -1;
inline constexpr int64_t kNotGiven = -2;  // the key of a clock stands alone: its interval is what it was

struct OptionRow {
  std::string_view key;
  std::string_view synonym;  // of the other dialect; empty if there is none
  OptionKind kind;
  std::string_view default_text;  // as one would type it; empty: nothing. Not of numbers
  int64_t default_number = 0;     // kSize, kDuration (ns), kCount
  std::string_view what;          // a sentence or two for help
  std::string_view choices;       // kChoice: "a|b|c" in the order of the enumeration
  int64_t smallest = 0;           // of the number; zero_is_off lets 0 through all the same
  int64_t largest = INT64_MAX;
  bool zero_is_off = false;
  std::string_view zero_word = "off";  // of zero_is_off: what one may say for 0
  bool several = false;                // kChoice: values with commas between, each of them set
  bool may_stand_alone = false;        // a number: the key alone is taken, as kNotGiven
  int64_t bare_unit_ns = 0;            // kDuration: what a number without a unit counts; 0: a unit is needed
  bool can_be_off = false;             // a number: the word off is taken, as kOff
  Setting setting = Setting::kFixed;
  void (*set)(Options&, const OptionValue&) = nullptr;
};

std::span<const OptionRow> option_table();

// By key or synonym; nothing if there is none.
const OptionRow* find_option(std::string_view key);

// The number as one would type it for that row.
std::string number_text(const OptionRow& row, int64_t number);

// What counts without the option, as one would type it; empty: nothing.
std::string default_of(const OptionRow& row);

}  // namespace rec::agent
