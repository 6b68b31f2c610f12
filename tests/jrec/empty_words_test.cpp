// SPDX-License-Identifier: Apache-2.0
// Words that a shell has made of variables that are not set.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "tests/jrec/files.h"
#include "tests/jrec/heard.h"
#include "tests/text.h"

namespace test::empty_words {

using namespace jrec;

namespace {

using Words = std::vector<std::string>;

Bytes a_recording() { return RecordingBuilder().simple_stack(1, "a/A", "run").sample(1500, 1).bytes(); }

}  // namespace

TEST_CASE("an empty word of a filter is refused, for it would be taken as none") {
  const Workplace place;
  const std::string file = place.write("in.jfr", a_recording()), out = place.path("out.jfr");
  std::vector<Words> all;
  for (const char* option : {"--thread", "--state", "--trace", "--span", "--from", "--to", "-I", "-X", "--where"})
    all.push_back({"hot", option, "", file});
  for (const char* option : {"--events", "--categories", "--include-events", "--exclude-threads", "--thread"})
    for (const char* list : {"", ",", ",,"}) all.push_back({"cut", option, list, "-o", out, file});
  for (const Words& words : all) {
    const Heard heard = hear(place, words);
    INFO(words[1] << " of " << words[0]);
    CHECK(heard.code == kUsageError);
    CHECK(heard.out == "");
    CHECK(has(heard.err, "is empty; leave it out to choose everything"));
  }
  CHECK_FALSE(std::filesystem::exists(out));
}

TEST_CASE("an option with nothing behind its equals sign is refused, and takes no other word for its value") {
  const Workplace place;
  const std::string file = place.write("in.jfr", a_recording());
  const auto refuses = [&](const Words& words, const std::string& option) {
    const Heard heard = hear(place, words);
    CHECK(heard.code == kUsageError);
    CHECK(heard.out.empty());
    CHECK_MESSAGE(has(heard.err, "jrec: " + option + "= is empty; leave it out, or put a value behind it"), heard.err);
  };
  refuses({"hot", file, "--thread=", "-n", "1"}, "--thread");
  refuses({"hot", "--thread=", file}, "--thread");
  refuses({"hot", file, "--from=", "--to", "3s"}, "--from");
  refuses({"hot", file, "--rows="}, "--rows");
  refuses({"flame", "--title=", file}, "--title");
  refuses({"hot", file, "--color="}, "--color");
  refuses({"--jobs=", "hot", file}, "--jobs");
  refuses({"archive", "add", "a.recz", file, "--label="}, "--label");
  CHECK(has(hear(place, {"hot", file, "--nothing="}).err, "has no option '--nothing'"));
  CHECK(has(hear(place, {"hot", "--", "--thread="}).err, "--thread=: cannot open"));
}

}  // namespace test::empty_words
