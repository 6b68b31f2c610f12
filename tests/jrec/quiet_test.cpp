// SPDX-License-Identifier: Apache-2.0
// -q: no word on what went well, wherever it stands; and a word on all else.
#include "jrec/base/quiet.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "tests/jrec/fake_jvm.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/our_chunk.h"

namespace test {
namespace {

namespace fs = std::filesystem;

Words with_front(const std::string& word, Words words) {
  words.insert(words.begin(), word);
  return words;
}

Words with_back(Words words, const std::string& word) {
  words.push_back(word);
  return words;
}

// What is there to be worked on, made anew for each command.
class Goods {
 public:
  explicit Goods(const Workplace& place) : place_(place) {
    const Bytes whole =
        RecordingBuilder().frame_type(1, "x").simple_stack(1, "a/A", "run").sample(1500, 1).flush().bytes();
    place.write("a.jfr", whole);
    place.write("b.jfr", whole);
    Bytes open = whole;
    open[64] = 0xff;
    place.write("open.jfr", open);
    REQUIRE(hear(place, {"archive", "add", place.path("a.recz"), place.path("a.jfr")}).code == jrec::kDone);
    fs::remove_all(place.path("dead.chunks"));
    REQUIRE(::mkdir(place.path("dead.chunks").c_str(), 0700) == 0);
    OurChunk().write(place.path("dead.chunks"), "2026_11_21_13_45_10-4711-0001.jfr");
  }
  ~Goods() {
    for (const auto& entry : fs::directory_iterator(place_.path(""))) fs::remove_all(entry.path());
  }
  Goods(const Goods&) = delete;
  Goods& operator=(const Goods&) = delete;

 private:
  const Workplace& place_;
};

std::vector<Words> commands_in(const Workplace& place) {
  const auto path = [&](const char* name) { return place.path(name); };
  return {{"cut", path("a.jfr"), "-o", path("o.jfr")},
          {"scrub", "--secrets", path("a.jfr"), path("o.jfr")},
          {"merge", path("a.jfr"), path("b.jfr"), "-o", path("o.jfr")},
          {"symbolize", path("a.jfr"), "-o", path("o.jfr")},
          {"disassemble", path("a.jfr"), "--to", path(".")},
          {"archive", "add", path("a.recz"), path("b.jfr")},
          {"archive", "restore", path("a.recz"), "--to", path("restored")},
          {"archive", "export", "--zst", path("a.recz"), "--to", path("exported")},
          {"archive", "merge", path("a.recz"), "-o", path("m.recz")},
          {"archive", "repair", path("a.recz"), "-o", path("r.recz")},
          {"archive", "prune", path("a.recz"), "--max-age", "1d"},
          {"export", path("a.jfr"), "--parquet", path("set")},
          {"recover", path("open.jfr")},
          {"recover", path("dead.chunks")}};
}

std::string line_of(const Words& words) {
  std::string line;
  for (const std::string& word : words) line += word + " ";
  return line;
}

Heard heard_in(const Workplace& place, const Words& words) {
  const Goods goods(place);
  return hear(place, words);
}

}  // namespace

TEST_CASE("-q silences what went well, in front of the command and behind it") {
  const Workplace place;
  for (const Words& command : commands_in(place)) {
    const Heard loud = heard_in(place, command);
    CHECK_MESSAGE(loud.out != "", line_of(command));
    for (const Words& words : {with_front("-q", command), with_back(command, "-q")}) {
      const Heard heard = heard_in(place, words);
      INFO(line_of(words));
      CHECK(heard.out == "");
      CHECK(heard.err == loud.err);
      CHECK(heard.code == loud.code);
    }
  }
}

TEST_CASE("-q leaves what a command was asked for, and is of one command line only") {
  const Workplace place;
  const Goods goods(place);
  for (const Words& words : std::vector<Words>{{"-q", "summary", place.path("a.jfr")},
                                               {"verify", "-q", place.path("a.jfr")},
                                               {"recover", "-q", "--dry-run", place.path("dead.chunks")},
                                               {"recover", "-q", "--json", place.path("dead.chunks")}})
    CHECK_MESSAGE(hear(place, words).out != "", line_of(words));
  CHECK(hear(place, {"merge", place.path("a.jfr"), "-o", place.path("o.jfr")}).out != "");
}

TEST_CASE("-q silences what a JVM was told to do, and not what it was asked") {
  const Workplace place;
  FakeJvm::Looks looks;
  looks.agent = looks.listens_early = true;
  const FakeJvm jvm(looks, [](int fd, const Words& request) {
    answer(request, "recording to /x/a.jfr\n{\"ok\":true}\n");
    put(fd, "0\nreturn code: 0\n");
  });
  const std::string pid = jvm.target();
  for (const Words& command : std::vector<Words>{
           {"start", pid, "--agent", jvm.agent()}, {"dump", pid}, {"stop", pid}, {"set", pid, "wall=5ms"}}) {
    INFO(line_of(command));
    CHECK(hear(place, command).out != "");
    CHECK(hear(place, with_front("-q", command)).out == "");
    CHECK(hear(place, with_back(command, "-q")).out == "");
    CHECK(hear(place, with_front("-q", with_back(command, "--json"))).out != "");
  }
  CHECK(hear(place, {"-q", "status", pid}).out != "");
}

}  // namespace test
