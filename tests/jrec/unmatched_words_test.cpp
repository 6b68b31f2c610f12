// SPDX-License-Identifier: Apache-2.0
// Words of --thread, --state and --exclude-threads that fit nothing are told, also where others of the list fit.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/our_chunk.h"
#include "tests/text.h"

using namespace jrec;
using namespace test;

namespace {

constexpr const char* kNoMian = "--thread: there is no 'mian'; did you mean main?";

// Samples of the thread main, which is 4711 to the system.
std::string main_alone(const Workplace& place) {
  OurChunk().write(place.path(""), "main.jfr");
  return place.path("main.jfr");
}

// Each command that takes --thread.
std::vector<std::vector<std::string>> with_threads(const std::string& file, const std::string& out) {
  return {{"print", file},
          {"view", "hot-methods", file},
          {"hot", file},
          {"collapsed", file},
          {"flame", "-o", out, file},
          {"heatmap", "-o", out, file},
          {"convert", "-f", "csv", file},
          {"report", "-o", out, file},
          {"cut", "-o", out, file},
          {"scrub", file, out}};
}

}  // namespace

TEST_CASE("a word of --thread that fits nothing is told by every command, beside words that fit") {
  const Workplace place;
  for (std::vector<std::string> words : with_threads(main_alone(place), place.path("out"))) {
    INFO(words[0]);
    words.insert(words.end(), {"--thread", "main"});
    CHECK(hear(place, words).err.empty());
    words.back() = "ma*,4711,mian";
    const Heard heard = hear(place, words);
    CHECK(heard.code == kDone);
    CHECK_MESSAGE(has(heard.err, kNoMian), heard.err);
    CHECK(heard.err.find(kNoMian) == heard.err.rfind(kNoMian));
    words.back() = "mian";
    CHECK(has(hear(place, words).err, kNoMian));
  }
}

TEST_CASE("each word of a list that fits nothing is told, of states too") {
  const Workplace place;
  const Heard heard =
      hear(place, {"print", "--thread", "nobody-1,main,mian", "--state", "runnable,slepping", main_alone(place)});
  CHECK(heard.code == kDone);
  CHECK(has(heard.err, "--thread: there is no 'nobody-1'\n"));
  CHECK(has(heard.err, kNoMian));
  CHECK_MESSAGE(has(heard.err, "--state: there is no 'slepping'"), heard.err);
  CHECK_FALSE(has(heard.err, "'runnable'"));
}

TEST_CASE("--thread takes a name that holds signs of control as it is shown, and as it is") {
  const Workplace place;
  main_alone(place);
  std::string odd = place.read("main.jfr");
  for (size_t at = 0; (at = odd.find("main", at)) != std::string::npos;) odd.replace(at, 4, "m\tin");
  const std::string file = place.write("odd.jfr", Bytes(odd.begin(), odd.end()));
  REQUIRE(has(hear(place, {"print", file}).out, "m\\x09in"));
  const std::string all = hear(place, {"collapsed", file}).out;
  for (const char* word : {"m\\x09in", "m\tin", "*\\x09*"}) {
    const Heard heard = hear(place, {"collapsed", "--thread", word, file});
    CHECK(heard.out == all);
    CHECK_MESSAGE(heard.err.empty(), heard.err);
  }
  CHECK(hear(place, {"collapsed", "--thread", "m\\x0ain", file}).out.empty());
}

TEST_CASE("cut and scrub refuse to leave out threads that nobody knows") {
  const Workplace place;
  const std::string file = main_alone(place), out = place.path("out.jfr");
  for (const std::string command : {"cut", "scrub"}) {
    const Heard heard = hear(place, {command, file, "-o", out, "--exclude-threads", "main,mian"});
    CHECK(heard.code == kUsageError);
    CHECK(heard.out.empty());
    CHECK_MESSAGE(has(heard.err, "--exclude-threads: there is no 'mian'; did you mean main?"), heard.err);
    CHECK(place.read("out.jfr").empty());
  }
  CHECK(hear(place, {"scrub", file, "-o", out, "--exclude-threads", "main"}).code == kDone);
}

TEST_CASE("a word that is misspelt is refused with the nearest, whatever it names") {
  const Workplace place;
  const std::string file = main_alone(place), archive = place.path("year.recz");
  REQUIRE(hear(place, {"archive", "add", archive, file}).code == kDone);
  struct Misspelt {
    std::vector<std::string> words;
    const char* near;
  };
  const std::vector<Misspelt> all = {
      {{"sql", file, "select * from sampels"}, "; did you mean samples?"},
      {{"sql", file, "select s.weigth from samples s"}, "; did you mean weight?"},
      {{"sql", file, "--example=hot-method"}, "; did you mean hot-methods?"},
      {{"view", "hot-methods", file, "--sort", "metod"}, "; did you mean Method?"},
      {{"diff", file, file, "--sort", "totl"}, "; did you mean total?"},
      {{"convert", file, "-f", "speedscop"}, "; did you mean speedscope?"},
      {{"archive", "cat", archive, "mian.jfr"}, "; did you mean main.jfr?"},
      {{"hot", archive + ":mian.jfr"}, "; did you mean main.jfr?"},
  };
  for (const Misspelt& each : all) {
    const Heard heard = hear(place, each.words);
    CHECK(heard.code == kUsageError);
    CHECK_MESSAGE(has(heard.err, each.near), heard.err);
  }
}
