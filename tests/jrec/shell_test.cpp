// SPDX-License-Identifier: Apache-2.0
// What jrec tells shells, man and the terminal about itself.
#include <doctest/doctest.h>

#include <string>

#include "jrec/base/command_line.h"
#include "jrec/base/progress.h"
#include "jrec/command/shell_words.h"
#include "tests/text.h"

namespace {

using namespace jrec;
using test::has;

ProgramWords words_of_a_small_program() {
  CommandLine line("sheep", "Counts sheep", "1.2");
  Command root = line.root();
  std::string out, file, wool, colour;
  bool all = false;
  root.add_option("--output,-o", out, "file to write");
  Command count = root.add_command("count", "How many there are: all, or some");
  count.add_option("FILE", file, "the flock");
  count.add_flag("--all", all, "it's [all] of them");
  count.add_option("--wool", wool, "of what kind").one_of({"fine", "coarse"});
  count.add_option("--colour", colour, "as a name").type_name("black|white");
  root.add_command("hidden", "for nobody").hide();
  root.add_command("flock", "What is done with flocks")
      .add_command("join", "Makes one of two")
      .add_flag("--shy", all, "softly");
  return line.words();
}

TEST_CASE("words of the command line are read off the parser, hidden commands left out") {
  const ProgramWords words = words_of_a_small_program();
  CHECK(words.program == "sheep");
  REQUIRE(words.commands.size() == 2);
  CHECK(words.commands[0].name == "count");
  const auto& options = words.commands[0].options;
  REQUIRE(options.size() == 5);  // --help, FILE, --all, --wool, --colour
  CHECK(options[1].names.empty());
  CHECK(options[1].value == "FILE");
  CHECK(options[2].names == std::vector<std::string>{"--all"});
  CHECK(options[2].value.empty());
  CHECK(options[1].choices.empty());
  CHECK(options[3].choices == std::vector<std::string>{"fine", "coarse"});
  CHECK(options[4].choices == std::vector<std::string>{"black", "white"});
  CHECK(words.options.back().names == std::vector<std::string>{"--output", "-o"});
}

TEST_CASE("completions ask the program itself") {
  CHECK(has(completion("sheep", Shell::kBash), "complete -o filenames -F _sheep sheep\n"));
  CHECK(has(completion("sheep", Shell::kZsh), "#compdef sheep\n"));
  CHECK(has(completion("sheep", Shell::kFish), "complete -c sheep -f"));
  for (const Shell shell : {Shell::kBash, Shell::kZsh, Shell::kFish}) {
    CHECK(has(completion("sheep", shell), " complete -- "));
    CHECK_FALSE(has(completion("sheep", shell), "PROGRAM"));
  }
}

TEST_CASE("the manual has the commands, their options and the exit codes, as roff") {
  const std::string page = manual(words_of_a_small_program());
  CHECK(page.starts_with(".TH SHEEP 1"));
  CHECK(has(page, ".SS flock join\nMakes one of two\n"));
  CHECK(has(page, ".SS count\nHow many there are: all, or some\n"));
  CHECK(has(page, "\\fB\\-\\-output, \\-o\\fR \\fITEXT\\fR\nfile to write\n"));
  CHECK(has(page, "\\fB130\\fR\nInterrupted.\n"));
  CHECK_FALSE(has(page, "for nobody"));
}

TEST_CASE("progress is told in the unit of the whole, with the rate since the start") {
  CHECK(progress_text(12'300'000, 456'000'000, 0.1) == "12.3 of 456.0 MB, 123 MB/s, 4 s left");
  CHECK(progress_text(1'200'000'000, 9'800'000'000, 4) == "1.2 of 9.8 GB, 300 MB/s, 29 s left");
  CHECK(progress_text(0, 10'000'000, 0) == "0.0 of 10.0 MB, 0 MB/s");
  CHECK(progress_text(10'000'000'000, 100'000'000'000, 10) == "10.0 of 100.0 GB, 1000 MB/s, 2 min left");
  CHECK(progress_text(10, 10, 1) == "0.0 of 0.0 MB, 0 MB/s");
}

}  // namespace
