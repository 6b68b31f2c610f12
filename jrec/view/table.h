// SPDX-License-Identifier: Apache-2.0
// Table writes the rows of a view for people, in as many columns of the terminal as there are.
//
//   Thread            Count      Max.
//   ----------------- ----- ---------
//   http-nio-8080-...    36    389 ms
//
// Numbers stand at the right. When the table is too wide, texts become shorter, the longest first: methods lose their
// parameters, then code and paths their beginning, other texts their end. When that is not enough, columns at the right
// are left out, and a line says how many. Names are escaped (escape.h).
#pragma once

#include <cstddef>
#include <string>

#include "jrec/view/view.h"
#include "jrec/view/view_rows.h"

namespace jrec {

enum class Truncate { kByContent, kBeginning, kEnd };

struct TableStyle {
  size_t width = 100;
  Truncate truncate = Truncate::kByContent;
};

inline constexpr size_t kNarrowestText = 12;

void append_table(const View& view, const Rows& rows, const TableStyle& style, std::string& out);
// A caption and a value a line; an empty line between rows.
void append_form(const View& view, const Rows& rows, const TableStyle& style, std::string& out);
// [ {"caption": value, ...}, ... ]: an object a line; captions as names, maxDuration.
void append_json_rows(const Rows& rows, std::string& out);

// A text in at most that many characters, with ... for what is missing.
std::string shortened(std::string text, size_t width, bool code, Truncate truncate);

}  // namespace jrec
