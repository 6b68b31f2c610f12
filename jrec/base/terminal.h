// SPDX-License-Identifier: Apache-2.0
// The terminal at standard output.
#pragma once

#include <cstddef>

namespace jrec {

// Of the terminal, or else $COLUMNS, or else 100.
size_t terminal_columns();
// 0: there is none, or it does not tell.
size_t terminal_lines();
// Whether it understands escapes: a terminal other than "dumb".
bool terminal_takes_escapes();

}  // namespace jrec
