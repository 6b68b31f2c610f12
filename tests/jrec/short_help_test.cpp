// SPDX-License-Identifier: Apache-2.0
// What jrec says when nothing is asked of it.
#include "jrec/command/short_help.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "jrec/base/columns.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/heard.h"
#include "tests/text.h"

using namespace jrec;
using test::has;

TEST_CASE("jrec alone: a line for each topic, with its commands in their order, and examples") {
  ProgramWords words;
  words.what = "Counts sheep";
  words.commands = {{"count", "", "See", {}, {}}, {"shear", "", "Work", {}, {}}, {"list", "", "See", {}, {}}};
  const std::string text = short_help(words);
  CHECK(text.starts_with("Counts sheep\n\nSee   count list\nWork  shear\n\nExamples\n"));
  CHECK(has(text, "jrec open app.jfr"));
}

TEST_CASE("the help of a command fits into the columns that there are") {
  const test::Workplace place;
  const char* const before = std::getenv("COLUMNS");
  const std::string columns = before == nullptr ? "" : before;
  ::setenv("COLUMNS", "72", 1);
  const std::string text = test::hear(place, {"view", "--help"}).out;
  before == nullptr ? ::unsetenv("COLUMNS") : ::setenv("COLUMNS", columns.c_str(), 1);
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    CHECK_MESSAGE(text_width(line) <= 72, line);
    from = end + 1;
  }
}
