// SPDX-License-Identifier: Apache-2.0
// What jrec says when nothing is asked of it.
#include "jrec/command/short_help.h"

#include <doctest/doctest.h>

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
