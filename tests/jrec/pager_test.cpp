// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/pager.h"

#include <doctest/doctest.h>

#include "jrec/base/colour.h"
#include "jrec/view/top_keys.h"

namespace jrec {
namespace {

void press(TopKeys& keys, std::string_view word) {
  for (const char key : word) keys.take(key);
}

TEST_CASE("lines that a text takes on a terminal are its own, and those that it is folded into") {
  CHECK(lines_taken("", 10) == 0);
  CHECK(lines_taken("one\ntwo\n", 10) == 2);
  CHECK(lines_taken("one\ntwo", 10) == 2);
  CHECK(lines_taken("0123456789\n", 10) == 1);
  CHECK(lines_taken("0123456789a\n", 10) == 2);
  CHECK(lines_taken("\n\n\n", 10) == 3);
  CHECK(lines_taken("\u00e4\u00e4\u00e4\u00e4\n", 4) == 1);
  CHECK(lines_taken("\x1b[1m0123456789\x1b[0m\n", 10) == 1);
  CHECK(lines_taken("\x1b[", 10) == 0);
}

TEST_CASE("colours stand around a line's words, and are left out where none are wanted") {
  set_colours(ColourWhen::kAlways);
  CHECK(coloured(Colour::kBold, "self  %\n") == "\x1b[1mself  %\x1b[0m\n");
  keep_colours_off();
  CHECK(coloured(Colour::kBold, "self") == "\x1b[1mself\x1b[0m");
  set_colours(ColourWhen::kNever);
  CHECK(coloured(Colour::kBold, "self\n") == "self\n");
  set_colours(ColourWhen::kAuto);
}

TEST_CASE("keys of top hold, sort, and look for a part of a name") {
  TopKeys keys;
  CHECK(keys.line() == "h: keys");
  press(keys, " s/Ha\x7fsh");
  CHECK(keys.held());
  CHECK(keys.by_total());
  CHECK(keys.part().empty());
  CHECK(keys.line() == "only methods with: Hsh_");
  press(keys, "\n");
  CHECK(keys.part() == "Hsh");
  CHECK(keys.line() == "held, sorted by since, only methods with Hsh, h: keys");
  press(keys, "/q\x1b");
  CHECK(keys.part().empty());
  CHECK_FALSE(keys.left());
  press(keys, "psq");
  CHECK_FALSE(keys.held());
  CHECK_FALSE(keys.by_total());
  CHECK(keys.left());
}

}  // namespace
}  // namespace jrec
