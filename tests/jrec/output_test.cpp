// SPDX-License-Identifier: Apache-2.0
// What summary and print write.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include "jrec/command/commands.h"
#include "jrec/print/json_events.h"
#include "jrec/print/print.h"
#include "jrec/print/summary.h"
#include "jrec/values/lost_samples.h"
#include "recorder/spool/loss.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/files.h"
#include "tests/jrec/our_chunk.h"

using namespace jrec;
using test::Bytes;
using test::has;
using test::OurChunk;
using test::Printed;
using test::RecordingBuilder;
using test::Workplace;

namespace {

Printed print_json(const Bytes& recording, const std::string& events = "") {
  const Workplace place;
  PrintOptions command;
  command.files = {place.write("a.jfr", recording)};
  command.filter.events = events;
  command.format = PrintFormat::kJson;
  Printed printed;
  printed.text = place.output_of([&](Output& out) { return run_print(command, out); }, printed.code);
  return printed;
}

Printed summary_json(const std::string& file, bool json = true) {
  const Workplace place;
  Printed printed;
  printed.text = place.output_of([&](Output& out) { return run_summary({{file}, json}, out); }, printed.code);
  return printed;
}

int run_words(std::vector<const char*> words) {
  words.insert(words.begin(), "jrec");
  return jrec::run(static_cast<int>(words.size()), words.data());
}

}  // namespace

TEST_CASE("golden: print --json resolves constants, and writes times as java.time does") {
  const Bytes file =
      RecordingBuilder().frame_type(1, "JIT compiled").simple_stack(1, "a/B", "c").sample(1500, 1, -2).bytes();
  CHECK(print_json(file).text ==
        "{\"recording\":{\"events\":[\n"
        "{\"type\":\"jdk.ExecutionSample\",\"values\":{\"startTime\":1500,\"sampledThread\":null,\"stackTrace\":{"
        "\"truncated\":false,\"frames\":["
        "{\"method\":{\"type\":{\"name\":\"a/B\"},\"name\":\"c\"},\"lineNumber\":7,\"type\":\"JIT "
        "compiled\"}]},\"weight\":-2}}\n"
        "]}}\n");
}

TEST_CASE("print gives the events of a chunk in the order of their end") {
  const Printed printed = print_json(RecordingBuilder().text(30, "third").text(10, "first").text(20, "second").bytes());
  CHECK(printed.code == kDone);
  CHECK(printed.text.find("first") < printed.text.find("second"));
  CHECK(printed.text.find("second") < printed.text.find("third"));
}

TEST_CASE("print takes only the events it is asked for") {
  const Bytes file = RecordingBuilder().text(1, "a").sample(2, 0).loss(3, 4).bytes();
  const std::string text = print_json(file, "Text,*Loss").text;
  CHECK(has(text, "test.Text"));
  CHECK(has(text, "jdk.DataLoss"));
  CHECK_FALSE(has(text, "jdk.ExecutionSample"));
}

TEST_CASE("damage: an event that cannot be decoded is left out, the rest is one whole document") {
  const Printed printed = print_json(RecordingBuilder().text(1, "a").raw({6, 11, 5, 3, 99, 'x'}).text(2, "b").bytes());
  CHECK(printed.code == kDamaged);
  CHECK(printed.text ==
        "{\"recording\":{\"events\":[\n{\"type\":\"test.Text\",\"values\":{\"startTime\":1,\"text\":\"a\"}},\n"
        "{\"type\":\"test.Text\",\"values\":{\"startTime\":2,\"text\":\"b\"}}\n]}}\n");
}

TEST_CASE("damage: a constant inside itself is null") {
  const Printed printed = print_json(RecordingBuilder().link(1, 2, 0).link(2, 1, 3).link(3, 0, 0).linked(9, 1).bytes());
  CHECK(printed.code == kDone);
  CHECK(
      has(printed.text, "\"link\":{\"left\":{\"left\":null,\"right\":{\"left\":null,\"right\":null}},\"right\":null}"));
}

TEST_CASE("damage: constants that double with each step do not make print run on") {
  RecordingBuilder builder;
  for (uint64_t key = 1; key < 60; ++key) builder.link(key, key + 1, key + 1);
  const Printed printed = print_json(builder.linked(1, 1).bytes());
  CHECK(printed.code == kDone);
  CHECK(printed.text.size() < 2 * JsonEvents::kMaxEventText);
  CHECK(printed.text.ends_with("}}\n]}}\n"));
}

TEST_CASE("summary counts events and bytes by type, over all chunks, and sums up losses") {
  const Workplace place;
  const Bytes file =
      RecordingBuilder().text(1, "a").loss(2, 100).next_chunk().text(3, "bc").loss(4, 23).sample(5, 0).bytes();
  const Printed printed = summary_json(place.write("a.jfr", file));
  CHECK(printed.code == kDone);
  CHECK(has(printed.text, "\"chunks\":2"));
  CHECK(has(printed.text, "\"start\":\"2023-11-14T22:13:20Z\""));
  CHECK(has(printed.text, "\"duration\":\"PT4S\""));
  CHECK(has(printed.text, "{\"name\":\"test.Text\",\"count\":2,\"bytes\":13}"));
  CHECK(has(printed.text, "{\"name\":\"jdk.ExecutionSample\",\"count\":1,\"bytes\":6}"));
  CHECK(has(printed.text, "{\"name\":\"jdk.Checkpoint\",\"count\":2,"));
  CHECK(has(printed.text, "{\"name\":\"jdk.Metadata\",\"count\":2,"));
  CHECK(has(printed.text, "\"losses\":{\"jdk.DataLoss\":{\"amount\":123}}"));
}

TEST_CASE("summary counts as losses only losses, by cause") {
  const Workplace place;
  OurChunk{.counters = {{"samples", 104}, {"overrun", 1}}}.write(place.path(""), "none.jfr");
  CHECK(has(summary_json(place.path("none.jfr")).text, "\"losses\":{\"rec.Counters\":{}}"));
  OurChunk{.counters = {{"samples", 104}, {"logFull", 3}, {"overrun", 1}, {"walkFailed", 2}}}.write(place.path(""),
                                                                                                    "some.jfr");
  CHECK(
      has(summary_json(place.path("some.jfr")).text, "\"losses\":{\"rec.Counters\":{\"logFull\":3,\"walkFailed\":2}}"));
}

TEST_CASE("summary tells at which rate clocks ticked, what that took, and how many threads came and went") {
  const Workplace place;
  OurChunk{.counters = {{"samples", 104},
                        {"ticks", 100},
                        {"cpuMs", 1020},
                        {"handlerUs", 710},
                        {"threadsEnded", 30},
                        {"threadsUnsampled", 14}}}
      .write(place.path(""), "a.jfr");
  const std::string json = summary_json(place.path("a.jfr")).text;
  CHECK(has(json, "\"notes\":{\"cpuMs\":1020,\"handlerUs\":710,\"samples\":104,\"threadsEnded\":30,"));
}

TEST_CASE("every loss that the recorder counts is one to who reads it, and nothing else is") {
  for (size_t i = 0; i < rec::kLossCount; ++i) CHECK(jrec::is_lost_sample(rec::loss_name(static_cast<rec::Loss>(i))));
  size_t lost_notes = 0;
  for (size_t i = 0; i < rec::kNoteCount; ++i) {
    const std::string name = rec::note_name(static_cast<rec::Note>(i));
    const bool lost = name == "mallocsUnfollowed" || (name.ends_with("sLost") && name != "mallocBytesLost");
    CAPTURE(name);
    CHECK(jrec::is_lost_sample(name) == lost);
    lost_notes += lost ? 1 : 0;
  }
  CHECK(jrec::kLostSamples.size() == rec::kLossCount + lost_notes + 4);  // four of older recordings
}

TEST_CASE("exit codes: nothing readable is 3, what cannot be opened and what makes no sense is 1, a full disk is 4") {
  const Workplace place;
  CHECK(summary_json(place.write("noise", Bytes(500, 7))).code == kNothingReadable);
  CHECK(summary_json(place.write("empty", {})).code == kNothingReadable);
  CHECK(summary_json(place.path("missing")).code == kUsageError);
  CHECK(run_words({"sumary", "x"}) == kUsageError);
  CHECK(run_words({"summary"}) == kUsageError);
  CHECK(run_words({"summary", "--nonsense", "x"}) == kUsageError);
  CHECK(run_words({}) == kUsageError);
  if (!std::filesystem::exists("/dev/full")) return;
  Output full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  full.add("text");
  CHECK_FALSE(full.flush());
}

TEST_CASE("jvm: summary agrees with the JDK's own on a recording that it has just made") {
  for (const char* home : {"/usr/lib/jvm/java-17-openjdk-amd64", "/usr/lib/jvm/temurin-25-jdk-amd64"}) {
    if (!std::filesystem::exists(std::string(home) + "/bin/jfr")) continue;
    const Workplace place;
    const std::string file = place.path("j.jfr"), table = place.path("table");
    const std::string bin = std::string(home) + "/bin/";
    REQUIRE(std::system(
                (bin + "java -XX:StartFlightRecording:filename=" + file + " -version >/dev/null 2>&1").c_str()) == 0);
    REQUIRE(std::system((bin + "jfr summary " + file + " > " + table).c_str()) == 0);
    const std::string ours = summary_json(file).text;
    std::istringstream lines(place.read("table"));
    size_t compared = 0;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string name, rest;
      uint64_t count = 0, bytes = 0;
      if (!(words >> name >> count >> bytes) || words >> rest || !has(name, ".")) continue;
      if (name == "jdk.CheckPoint") name = "jdk.Checkpoint";  // as 17 spells it
      const std::string row =
          "{\"name\":\"" + name + "\",\"count\":" + std::to_string(count) + ",\"bytes\":" + std::to_string(bytes) + "}";
      CHECK_MESSAGE(has(ours, row), row);
      ++compared;
    }
    CHECK(compared > 100);
  }
}
