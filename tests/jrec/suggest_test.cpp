// SPDX-License-Identifier: Apache-2.0
// What a word may be, for the completions of shells.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/command/suggest.h"
#include "tests/jrec/files.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

namespace {

using namespace jrec;
using test::Workplace;

ProgramWords complete_program() {
  ProgramWords words;
  words.options = {{{"--quiet", "-q"}, "", "no word"}, {{"--color"}, "TEXT", "when", {"auto", "always", "never"}}};
  words.commands = {
      {"hot", "The hottest", "", {{{"--event", "-e"}, "NAME", "what"}, {{"--thread"}, "TEXT", "whose"}}, {}},
      {"hunt", "Looks for", "", {}, {}},
      {"print", "Events", "", {{{"--event", "-e"}, "NAME", "what"}}, {}},
      {"view", "Tables", "", {}, {}},
      {"stop", "Ends", "", {}, {}},
      {"push",
       "Sends",
       "",
       {{{}, "KIND", "which", {"otlp", "pyroscope"}}, {{}, "FILE", "what"}, {{"--as"}, "a|b", "how", {"a", "b"}}},
       {}},
      {"archive",
       "Keeps",
       "",
       {},
       {{"add", "One more", "", {{{"--label"}, "TEXT", "its"}}, {}}, {"list", "All", "", {}, {}}}}};
  return words;
}

NameSources made_names() {
  const auto of = [](const char* what) {
    return [what](const std::string& path) { return Suggestions{{what, path.substr(path.rfind('/') + 1)}}; };
  };
  return {of("gc"),
          of("cpu"),
          of("jdk.X"),
          of("main"),
          of("day.jfr"),
          [] {
            return Suggestions{{"gc", ""}};
          },
          [] {
            return Suggestions{{"42", "App"}};
          }};
}

std::string suggested(const std::vector<std::string>& words) {
  return suggestion_lines(suggest(complete_program(), words, made_names()));
}

TEST_CASE("suggestions: commands, verbs and options, that begin as the word does") {
  CHECK(suggested({"h"}) == "hot\tThe hottest\nhunt\tLooks for\n");
  CHECK(suggested({"hot", "--e"}) == "--event\twhat\n");
  CHECK(suggested({"hot", "--q"}) == "--quiet\tno word\n");
  CHECK(suggested({"archive", ""}) == "add\tOne more\nlist\tAll\n");
  CHECK(suggested({"archive", "add", "--l"}) == "--label\tits\n");
  CHECK(suggested({"nothing", "-"}) == "--quiet\tno word\n-q\tno word\n--color\twhen\n");
  CHECK(suggested({}) == suggested({""}));
}

TEST_CASE("suggestions: names in the recording that was named, wherever it stands") {
  const Workplace place;
  const std::string file = place.write("a.jfr", {});
  CHECK(suggested({"hot", file, "--event", ""}) == "cpu\ta.jfr\n");
  CHECK(suggested({"hot", "-e", "cpu", file, "--thread", "m"}) == "main\ta.jfr\n");
  CHECK(suggested({"hot", "--event", "c"}) == "cpu\t\n");
  CHECK(suggested({"hot", "--event", "x"}).empty());
  CHECK(suggested({"print", file, "-e", ""}) == "gc\ta.jfr\n");
}

TEST_CASE("suggestions: commands that show stacks are offered the events that have some, and take all of them") {
  const Workplace place;
  const std::string file = place.write("a.jfr", test::MadeEvents()
                                                    .samples(3, {"app.Hot.loop"})
                                                    .add("jdk.PhysicalMemory", 1, {{"totalSize", test::made::whole(1)}})
                                                    .bytes());
  const auto offered = [&](const std::string& command) {
    std::string lines = "\n";
    for (const Suggestion& each : suggest({"", "", "", {}, {{command, "", "", {{{"-e"}, "NAME", ""}}, {}}}},
                                          {command, file, "-e", ""}, real_names())
                                      .words) {
      lines += each.word + "\n";
      if (command != "print")
        CHECK_MESSAGE(test::hear(place, {command, file, "-e", each.word}).code == kDone, each.word);
    }
    return lines;
  };
  for (const char* command : {"hot", "collapsed", "flame"}) {
    const std::string lines = offered(command);
    CHECK(test::has(lines, "\ncpu\n"));
    CHECK(test::has(lines, "\njdk.ExecutionSample\n"));
    for (const char* without : {"\ngc\n", "\nsafepoint\n", "\ncompile\n", "\njdk.PhysicalMemory\n"})
      CHECK_MESSAGE(!test::has(lines, without), lines);
  }
  CHECK(test::has(offered("print"), "\ngc\n"));
  CHECK(test::has(offered("print"), "\njdk.PhysicalMemory\n"));
}

TEST_CASE("suggestions: files, where one may stand") {
  CHECK(suggested({"hot", ""}) == ":files\n");
  CHECK(suggested({"view", ""}) == "gc\t\n:files\n");
  CHECK(suggested({"archive", "add", "--label", "x"}) == ":files\n");
  CHECK(suggested({"--color", ""}) == "auto\t\nalways\t\nnever\t\n");
  CHECK(suggested({"stop", ""}) == "42\tApp\n");
}

TEST_CASE("suggestions: the words that alone are taken, of an option or in their place") {
  CHECK(suggested({"push", "o"}) == "otlp\t\n");
  CHECK(suggested({"push", "--as", ""}) == "a\t\nb\t\n");
  CHECK(suggested({"push", "--as", "a", "otlp", ""}) == ":files\n");
}

TEST_CASE("suggestions: members of an archive") {
  CHECK(suggested({"hot", "x/shop.recz:d"}) == "x/shop.recz:day.jfr\tshop.recz\n");
  CHECK(suggested({"archive", "list", "shop.recz", ""}) == "day.jfr\tshop.recz\n:files\n");
  CHECK(suggested({"hot", "shop.recz:x"}).empty());
}

TEST_CASE("suggestions: what a name has in it does not make a line of its own") {
  CHECK(suggestion_lines({{{"a\nb", "c\td"}}, false}).find('\n') ==
        suggestion_lines({{{"a\nb", "c\td"}}, false}).size() - 1);
}

}  // namespace
