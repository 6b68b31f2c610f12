// SPDX-License-Identifier: Apache-2.0
// Cell is one value of a table, taken out of the chunk that it came from: a number in base units (nanoseconds, bytes,
// nanoseconds since 1970, a share of one) or a text, and what it is, so that it can be shown.
//
// Texts are as the recording has them: show() and show_json() escape.
#pragma once

#include <cstdint>
#include <string>

#include "jrec/values/content.h"
#include "jrec/values/whole.h"

namespace jrec {

struct Cell {
  enum class Kind : uint8_t { kNull, kInteger, kReal, kText };

  Kind kind = Kind::kNull;
  Content content = Content::kPlain;
  Whole integer = 0;  // of a text: what else tells it apart, as a thread's id does
  double real = 0;
  std::string text;

  static Cell of(Whole value, Content content = Content::kPlain);
  static Cell of_real(double value, Content content = Content::kPlain);
  static Cell of_text(std::string text, Content content = Content::kPlain);

  bool null() const { return kind == Kind::kNull; }
  bool number() const { return kind == Kind::kInteger || kind == Kind::kReal; }
  WideReal as_real() const { return kind == Kind::kReal ? real : static_cast<WideReal>(integer); }

  // Null first, numbers by size, then texts.
  bool operator<(const Cell& other) const;
  // The same bytes for the same value: tells rows apart.
  std::string identity() const;
};

// For people, one line: 1,234 and 12.3 ms and 4.5 MB and N/A.
std::string show(const Cell& cell, int32_t utc_offset_s);
// null, a number in base units, an ISO-8601 time, true, or a string.
void show_json(const Cell& cell, int32_t utc_offset_s, std::string& out);

}  // namespace jrec
