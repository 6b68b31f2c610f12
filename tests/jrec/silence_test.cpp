// SPDX-License-Identifier: Apache-2.0
// Nothing is passed over in silence: names that nobody knows, recordings without what was asked for, damage that no
// event shows, words that a command has no use for.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "format/reader/cursor.h"
#include "jrec/base/exit_code.h"
#include "tests/jrec/files.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/mutation.h"
#include "tests/thin.h"

using namespace jrec;
using namespace test;

namespace {

using Words = std::vector<std::string>;

Bytes a_recording() {
  return RecordingBuilder()
      .frame_type(1, "x")
      .simple_stack(1, "a/A", "run")
      .sample(1500, 1)
      .text(1600, "x")
      .flush()
      .simple_stack(2, "a/A", "stop")
      .sample(1700, 2)
      .bytes();
}

// One of each command that reads recordings.
std::vector<Words> readers(const std::string& file, const std::string& other, const std::string& out) {
  std::vector<Words> commands = {{"summary", file},
                                 {"summary", "--json", file},
                                 {"print", file},
                                 {"print", "--json-lines", "--events", "jdk.ExecutionSample", file},
                                 {"print", "--xml", file},
                                 {"print", "--csv", "-e", "cpu", file},
                                 {"metadata", file},
                                 {"collapsed", file},
                                 {"hot", "-e", "alloc", file},
                                 {"flame", "-o", out, file},
                                 {"flame", "--diff", other, "-o", out, file},
                                 {"heatmap", "-o", out, file},
                                 {"report", "-o", out, file},
                                 {"diff", other, file},
                                 {"view", file},
                                 {"view", "hot-methods", file},
                                 {"safepoints", file},
                                 {"top", "-n", "1", "-d", "0.05", file},
                                 {"sql", file, "select count(*) from recordings"},
                                 {"sql", file, "select count(*) from samples"},
                                 {"cut", "-q", "-o", out, "--from", "1us", file},
                                 {"scrub", "-q", "--secrets", file, out},
                                 {"merge", "-q", "-o", out, other, file},
                                 {"disassemble", "-q", "--to", out + ".pieces", file}};
  for (const char* format : {"collapsed", "pprof", "otlp", "speedscope", "firefox", "chrome", "csv"})
    commands.push_back({"convert", "-f", format, "-o", out, file});
  return commands;
}

std::string line_of(const Words& words) {
  std::string line;
  for (const std::string& word : words) line += word + " ";
  return line;
}

}  // namespace

TEST_CASE("damage: no command ends well on a recording that verify calls damaged, and each says where") {
  const Workplace place;
  const Victim victim(join(a_recording(), a_recording()));
  const std::string other = place.write("other.jfr", a_recording());
  int damaged = 0;
  for (uint64_t number = 0; damaged < (::test::kThin == 1 ? 25 : 5); ++number) {
    const Mutation mutation = mutate(victim, number);
    const std::string file = place.write("in.jfr", mutation.bytes);
    if (verified(place, file).code != kDamaged) continue;
    ++damaged;
    for (const Words& words : readers(file, other, place.path("out"))) {
      std::filesystem::remove_all(place.path("out.pieces"));
      std::filesystem::create_directory(place.path("out.pieces"));
      const Heard heard = hear(place, words);
      INFO("mutation " << number << ", " << mutation.kind << ": " << line_of(words) << heard.err);
      CHECK(heard.code == kDamaged);
      CHECK(has(heard.err, "in.jfr: at 0x"));
    }
  }
}

TEST_CASE("damage: events that nobody asked for, and constants that nobody needs, are looked at too") {
  const Workplace place;
  const auto says = [&](const Bytes& recording, const Words& words, const std::string& what) {
    const std::string file = place.write("in.jfr", recording);
    Words command = words;
    command.push_back(file);
    const Heard heard = hear(place, command);
    CHECK(heard.code == kDamaged);
    CHECK_MESSAGE(has(heard.err, what), heard.err);
  };
  using Builder = RecordingBuilder;
  says(Builder().raw({4, 99, 1, 1}).bytes(), {"summary"}, "type 99, which is not declared");
  says(Builder().raw({3, Builder::kSample, 1}).bytes(), {"summary"}, "do not fit into its 3 bytes");
  says(Builder().raw({3, Builder::kSample, 1}).bytes(), {"metadata"}, "do not fit into its 3 bytes");
}

TEST_CASE("damage: a checkpoint that counts fewer pools than it has is told by commands that read constants") {
  const Workplace place;
  Bytes recording = a_recording();
  jfr::read::Cursor in(recording, static_cast<size_t>(recording[22]) << 8 | recording[23]);  // the header's word
  in.skip_lebs(5);  // size, type, start, duration, delta
  in.u8();
  uint8_t& pools = recording[in.at()];
  REQUIRE(pools > 1);
  REQUIRE(pools < 0x80);
  --pools;
  const std::string file = place.write("in.jfr", recording);
  for (const char* command : {"summary", "collapsed", "hot"}) {
    const Heard heard = hear(place, {command, file});
    CHECK(heard.code == kDamaged);
    CHECK_MESSAGE(has(heard.err, "bytes too many"), heard.err);
  }
}

TEST_CASE("damage: metadata that lost all its types is damaged, and so is the recording to every command") {
  const Workplace place;
  Bytes recording = a_recording();
  const auto metadata = static_cast<size_t>(recording[30]) << 8 | recording[31];  // the header's word, big endian
  const size_t end = recording.size();
  size_t damaged = 0;
  for (size_t from = metadata + 8; from + 200 < end; from += 40) {
    Bytes zeroed = recording;
    std::fill_n(zeroed.begin() + static_cast<ptrdiff_t>(from), 200, 0);
    const std::string file = place.write("in.jfr", zeroed);
    const bool all_there =
        hear(place, {"collapsed", file}).out == hear(place, {"collapsed", place.write("a.jfr", recording)}).out;
    INFO("zeros from " << from);
    if (!all_there) CHECK(hear(place, {"verify", file}).code != kDone);
    damaged += all_there ? 0 : 1;
  }
  CHECK(damaged > 3);
}

TEST_CASE("a name that no event has is an error with the nearest one, before anything is written") {
  const Workplace place;
  const std::string file = place.write("in.jfr", a_recording()), out = place.path("out");
  const auto refuses = [&](const Words& words, const std::string& what) {
    const Heard heard = hear(place, words);
    INFO(line_of(words) << heard.err);
    CHECK(heard.code == kUsageError);
    CHECK(heard.out.empty());
    CHECK(has(heard.err, what));
    CHECK_FALSE(std::filesystem::exists(out));
  };
  for (const char* command : {"collapsed", "hot"}) {
    refuses({command, "-e", "cpv", file}, "did you mean cpu? there are cpu (2)");
    refuses({command, "-e", "ExecutionSample", file}, "did you mean jdk.ExecutionSample?");
    refuses({command, "-e", "nothing.like.it.at.all", file}, "; there are cpu (2)");
  }
  refuses({"flame", "-o", out, "-e", "cpv", file}, "did you mean cpu?");
  refuses({"heatmap", "-o", out, "-e", "cpv", file}, "did you mean cpu?");
  refuses({"convert", "-f", "csv", "-o", out, "-e", "cpv", file}, "did you mean cpu?");
  refuses({"diff", "-e", "cpv", file, file}, "did you mean cpu?");
  refuses({"print", "--json", "-e", "jdk.ExecutionSampl", file}, "did you mean jdk.ExecutionSample?");
  refuses({"print", "--xml", "--events", "ExecutionSample,ExecutonSample", file}, "did you mean jdk.ExecutionSample?");
  refuses({"print", "--categories", "Zoo", file}, "--categories: the recording has nothing of the name 'Zoo'");
  refuses({"print", "--json", "--where", "nofield = 1", file}, "nofield");
  refuses({"metadata", "--events", "zoo.*", file}, "nothing of the name 'zoo.*'; it has ");
  refuses({"view", "ExecutonSample", file}, "did you mean jdk.ExecutionSample?");
  refuses({"cut", "-o", out, "--events", "ExecutonSample", file}, "did you mean jdk.ExecutionSample?");
  refuses({"scrub", "--exclude-events", "ExecutonSample", file, out}, "--exclude-events: the recording has nothing");
}

TEST_CASE("what there is of a kind is as many events as the kind shows") {
  const Workplace place;
  MadeEvents made;
  const auto thrown = [](const std::string& type) {
    return MadeEvents::Fields{{"stackTrace", made::stack({"app.Main.throws"})}, {"thrownClass", made::klass(type)}};
  };
  for (int i = 0; i < 3; ++i) made.add("jdk.JavaExceptionThrow", i, thrown("java.io.IOException"));
  made.add("jdk.JavaExceptionThrow", 4, thrown("java.lang.Error"));
  made.add("jdk.JavaErrorThrow", 4, thrown("java.lang.Error"));
  const std::string file = place.write("in.jfr", made.bytes());
  CHECK(has(hear(place, {"hot", "-e", "exceptions", file}).out, "jdk.JavaExceptionThrow: 4 in 4 events"));
  CHECK(has(hear(place, {"hot", "-e", "alloc", file}).err, "there are exceptions (4), jdk.JavaErrorThrow (1)\n"));
  CHECK(has(hear(place, {"hot", "-e", "alocc", file}).err, "there are exceptions (4), jdk.JavaErrorThrow (1)\n"));
}

TEST_CASE("a number below zero is refused where only larger ones make sense") {
  const Workplace place;
  const std::string file = place.write("in.jfr", a_recording());
  for (const Words& words :
       {Words{"hot", "-n", "-1", file}, Words{"hot", "--rows=-20", file}, Words{"flame", "--rows", "-5", file}}) {
    const Heard heard = hear(place, words);
    CHECK(heard.code == kUsageError);
    CHECK(has(heard.err, "is below zero"));
  }
}

TEST_CASE("a time that is none of the recording's is answered with its own, and their zone") {
  const Workplace place;
  const std::string file = place.write("in.jfr", a_recording());
  const std::string own =
      "choose a time before or behind the recording, which is from 2023-11-14T23:13:20+01:00 to "
      "2023-11-14T23:13:22+01:00";
  for (const Words& words :
       {Words{"hot", "--from", "22:13:20", "--to", "22:13:22", file}, Words{"print", "--from", "1h", file},
        Words{"view", "hot-methods", "--to", "2023-11-14", file}})
    CHECK_MESSAGE(has(hear(place, words).err, own), line_of(words));
  CHECK(hear(place, {"hot", "--from", "23:13:20", file}).err == "");
}

TEST_CASE("an output without a name is refused, and nothing is written beside the input") {
  const Workplace place;
  const std::string file = place.write("in.jfr", a_recording());
  for (const std::string command : {"cut", "scrub", "print", "flame", "convert"})
    for (const Words& words : {Words{command, file, "-o", ""}, Words{command, "--output=", file}}) {
      const Heard heard = hear(place, words);
      INFO(line_of(words));
      CHECK(heard.code == kUsageError);
      CHECK(heard.out == "");
    }
  const auto is_recording = [](const auto& entry) { return entry.path().extension() == ".jfr"; };
  const std::filesystem::directory_iterator all(place.path(""));
  CHECK(std::count_if(begin(all), end(all), is_recording) == 1);
}

TEST_CASE("verify takes several recordings, and its code is that of the worst") {
  const Workplace place;
  const std::string whole = place.write("whole.jfr", a_recording()), text = place.write("text.jfr", Bytes(500, 'x'));
  CHECK(hear(place, {"verify", whole, whole}).code == kDone);
  const Heard heard = hear(place, {"verify", text, whole});
  CHECK(heard.code == kNothingReadable);
  CHECK(has(heard.out, "whole.jfr: "));
  CHECK(has(hear(place, {"verify", place.write("empty.jfr", {})}).out, "no recording"));
}

TEST_CASE("top ends by itself where the recording has ended, and nobody has said how many looks") {
  const Workplace place;
  const std::string file = place.write("in.jfr", a_recording());
  std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::minutes(1));
  const Heard heard = hear(place, {"top", "-d", "0.05", file});
  CHECK(heard.code == kDone);
  CHECK(has(heard.out, "a.A.run"));
}

TEST_CASE("top does not wait for events of what is no recording") {
  const Workplace place;
  const Heard heard = hear(place, {"top", place.write("text.jfr", Bytes(500, 'x'))});
  CHECK(heard.code == kNothingReadable);
  CHECK(has(heard.err, "is no recording that is being written"));
}

TEST_CASE("damage: top tells of a finished chunk that is cut, whatever lies behind it") {
  const Workplace place;
  constexpr size_t kStateOffset = 64;
  Bytes cut = a_recording(), unfinished = a_recording();
  cut.resize(cut.size() - 20);
  unfinished[kStateOffset] = 2;
  const Words top = {"top", "-n", "1", "-d", "0.05"};
  const auto code_of = [&](const Bytes& bytes) {
    Words words = top;
    words.push_back(place.write("in.jfr", bytes));
    return hear(place, words).code;
  };
  CHECK(code_of(cut) == kDamaged);
  CHECK(code_of(join(cut, unfinished)) == kDamaged);
  CHECK(code_of(join(a_recording(), unfinished)) == kDone);
}

TEST_CASE("top ends with a line where a file is empty or cut, and nobody writes to it") {
  const Workplace place;
  const auto top_of = [&](const Bytes& bytes) {
    const std::string file = place.write("in.jfr", bytes);
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::minutes(1));
    return hear(place, {"top", "-d", "0.05", file});
  };
  Bytes cut = a_recording();
  cut.resize(cut.size() - 20);
  const Heard empty = top_of({}), of_cut = top_of(cut);
  CHECK(empty.code == kNothingReadable);
  CHECK(has(empty.out, "waits for samples"));
  CHECK(has(empty.err, "in.jfr: "));
  CHECK(of_cut.code == kDamaged);
  CHECK(has(of_cut.err, "in.jfr: "));
}

TEST_CASE("top shows samples of the wall clock where there are no others") {
  using namespace test::made;
  const Workplace place;
  MadeEvents made;
  made.add("profiler.WallClockSample", 10, {{"stackTrace", stack({"app.Main.waits"})}, {"samples", whole(7)}});
  const Words top = {"top", "-n", "1", "-d", "0.05", place.write("in.jfr", made.bytes())};
  const std::string alone = hear(place, top).out;
  CHECK_MESSAGE(has(alone, "samples of the wall clock: 0 in"), alone);
  CHECK(has(alone, ", 7 since"));
  CHECK(has(alone, "app.Main.waits"));
  made.samples(3, {"app.Main.runs"});
  place.write("in.jfr", made.bytes());
  const std::string beside = hear(place, top).out;
  CHECK(has(beside, "samples: 0 in"));
  CHECK_FALSE(has(beside, "app.Main.waits"));
}

TEST_CASE("a recording without samples of the kind says which there are, on the page too") {
  const Workplace place;
  const std::string file = place.write("in.jfr", a_recording()), out = place.path("out.html");
  const std::string there = "no samples of alloc; there are cpu (2)";
  for (const Words& words : {Words{"collapsed", "-e", "alloc", file}, Words{"hot", "-e", "alloc", file},
                             Words{"flame", "-e", "alloc", "-o", out, file}, Words{"diff", "-e", "alloc", file, file},
                             Words{"convert", "-f", "speedscope", "-e", "alloc", file}}) {
    const Heard heard = hear(place, words);
    INFO(line_of(words) << heard.err);
    CHECK(heard.code == kDone);
    CHECK(has(heard.err, there));
  }
  CHECK(has(place.read("out.html"), "\"note\":\"" + there + "\""));
  CHECK(has(hear(place, {"collapsed", "--thread", "nobody", file}).err, "no samples of cpu pass the filter"));
  const std::string with_states = std::string(REC_SOURCE_ROOT) + "/tests/golden/archive_v7.recz";
  CHECK(has(hear(place, {"collapsed", "--state", "RUNABLE", with_states}).err,
            "; --state: there is no 'runable'; did you mean runnable?"));
  CHECK_FALSE(
      has(hear(place, {"collapsed", "--state", "Runnable", "--thread", "nobody", with_states}).err, "--state:"));
  CHECK(hear(place, {"collapsed", file}).err.empty());
}

TEST_CASE("what has no stacks is no kind of samples, and who asks for it hears which command shows it") {
  const Workplace place;
  const std::string file = place.write("in.jfr", a_recording());
  for (const Words& words : {Words{"hot", "-e", "gc", file}, Words{"diff", "-e", "gc", file, file}}) {
    const Heard heard = hear(place, words);
    CHECK(heard.code == kUsageError);
    CHECK_MESSAGE(has(heard.err, "events of 'gc' have no stacks; jrec print -e gc shows them"), heard.err);
  }
  CHECK(has(hear(place, {"hot", "-e", "jdk.Compilation", file}).err, "jrec print -e jdk.Compilation shows them"));
  CHECK(hear(place, {"print", "-e", "gc", file}).code == kDone);
  CHECK_FALSE(has(hear(place, {"hot", "--help"}).out, "safepoint"));
  CHECK(has(hear(place, {"print", "--help"}).out, "safepoint"));
}

TEST_CASE("a command line without sense is answered with what was meant") {
  const Workplace place;
  const auto says = [&](const Words& words, const std::string& what) {
    const Heard heard = hear(place, words);
    CHECK(heard.code == kUsageError);
    CHECK(heard.out.empty());
    CHECK_MESSAGE(has(heard.err, what), heard.err);
  };
  says({}, "jrec help COMMAND tells what a command takes");
  says({"--hlep"}, "jrec has no option '--hlep'; did you mean --help?");
  says({"archive"}, "jrec archive wants a command behind it: add, ");
  says({"archive", "ad", "x"}, "jrec archive has no command 'ad'; did you mean add?");
  says({"hot", "--evnt", "cpu", "x"}, "jrec hot has no option '--evnt'; did you mean --event?");
  says({"cut", "-o", "c", "a", "b"}, "jrec cut has no use for 'b'");
  says({"hot", "--rows", "x", "a"}, "--rows: 'x' is no number (jrec hot --help tells more)");
  says({"hot", "-n", "1.5", "a"}, "--rows: '1.5' is no whole number");
  says({"--jobs", "x", "hot", "a"}, "--jobs: 'x' is no number");
  says({"heatmap", "--rows", "201", "a"}, "--rows: 201 is not from 1 to 200");
  says({"flame", "--least", "100.5", "a"}, "--least: 100.5 is not from 0 to 100");
  for (const char* command : {"hot", "flame", "collapsed"})
    says({command, "--tail", "5", "-e", "nativemem", "a"}, "--tail requires --leak");
  const Heard help = hear(place, {"help", "hot"});
  CHECK(help.code == kDone);
  CHECK(has(help.out, "Usage: jrec hot [OPTION]... FILE"));
  CHECK(help.out == hear(place, {"hot", "--help"}).out);
  CHECK(has(hear(place, {"help"}).out, "flame"));
  for (const char* command : {"hot", "heatmap", "view", "push", "sql"}) {
    const std::string text = hear(place, {command, "--help"}).out;
    CHECK_FALSE(has(text, "{"));
    CHECK_FALSE(has(text, "UINT"));
    CHECK_FALSE(has(text, " in ["));
  }
}
