// SPDX-License-Identifier: Apache-2.0
// Recordings of version 0.9, by Oracle's JDK 7 and 8, are read as any other.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "format/old/recording_translation.h"
#include "jrec/archive/archive_add.h"
#include "jrec/archive/archive_list.h"
#include "jrec/archive/archive_prune.h"
#include "jrec/input/input.h"
#include "jrec/print/print.h"
#include "tests/format/old_builder.h"
#include "tests/format/reader_reading.h"
#include "tests/jrec/files.h"
#include "tests/mutation.h"
#include "tests/thin.h"

using namespace jrec;
using namespace test;

namespace {

using Lines = std::vector<std::string>;

OldBuilder one_old_sample() {
  OldBuilder builder;
  builder.thread(7, "main").java_thread(1, 7).group(1, 0, "system").state(1, "STATE_RUNNABLE").frame_type(1, "Inlined");
  builder.simple_stack(5, "shop/Till", "ring").checkpoint(2000).sample(1500, 7, 5);
  return builder;
}

// The values of each event as JSON, one a line; without what all tests would say again.
Lines printed(const Bytes& recording, int* code = nullptr) {
  const Quiet quiet;
  const Workplace place;
  PrintOptions options;
  options.files = {place.write("old.jfr", recording)};
  options.format = PrintFormat::kJsonLines;
  const Said said = place.run(run_print, options);
  if (code != nullptr) *code = said.code;
  Lines lines;
  for (size_t at = 0; at < said.text.size();) {
    const size_t end = said.text.find('\n', at);
    lines.push_back(said.text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

struct Translated {
  Bytes bytes;
  jfr::read::Problems problems;
};
Translated translated(const Bytes& old) {
  Translated made;
  const auto status = jfr::old::translate_recording(old, made.problems, {[&](std::span<const uint8_t> bytes) {
                                                      made.bytes.insert(made.bytes.end(), bytes.begin(), bytes.end());
                                                      return base::Status(base::Done{});
                                                    }});
  REQUIRE(status.ok());
  return made;
}

// What is wrong with it, in the words that a user sees.
Lines flaws(const Bytes& old) {
  Lines all;
  const Translated made = translated(old);
  for (const base::Error& error : made.problems.kept()) {
    CHECK(error.offset <= old.size());
    all.push_back(error.what);
  }
  return all;
}

}  // namespace

TEST_CASE("a sample of version 0.9 has its time, its thread and its stack") {
  const Bytes recording = one_old_sample().bytes();
  CHECK(jfr::old::is_old_recording(recording));
  const Lines lines = printed(recording);
  REQUIRE(lines.size() == 1);
  CHECK(has(lines[0], R"("type":"jdk.ExecutionSample")"));
  CHECK(has(lines[0], R"("startTime":"1970-01-01T01:00:01.000500+01:00")"));
  CHECK(has(
      lines[0],
      R"("sampledThread":{"osName":"main","osThreadId":7,"javaName":"main","javaThreadId":1,"group":{"parent":null,"name":"system"}})"));
  CHECK(has(lines[0],
            R"("type":{"classLoader":null,"name":"shop/Till","modifiers":1},"name":"ring","descriptor":"()V")"));
  CHECK(has(lines[0], R"("lineNumber":42,"bytecodeIndex":3,"type":"Inlined")"));
  CHECK(has(lines[0], R"("state":"STATE_RUNNABLE")"));
  const Workplace place;
  CHECK(collapsed(place, place.write("old.jfr", recording)) == "shop.Till.ring 1\n");
}

TEST_CASE("an event of version 0.9 with a start has a duration, and its fields have the names of today") {
  OldBuilder builder;
  builder.thread(7, "main").thread(8, "other").java_thread(21, 8).simple_stack(5, "shop/Till", "ring").checkpoint(9000);
  const Lines lines = printed(builder.enter(1100, 4100, 7, 5, 50, 21).bytes());
  REQUIRE(lines.size() == 1);
  CHECK(has(lines[0], R"("type":"jdk.JavaMonitorEnter")"));
  CHECK(has(lines[0], R"("startTime":"1970-01-01T01:00:01.000100+01:00","duration":"PT0.003S")"));
  CHECK(has(lines[0], R"("eventThread":{"osName":"main","osThreadId":7,"javaName":null,"javaThreadId":0)"));
  CHECK(has(lines[0], R"("monitorClass":{"classLoader":null,"name":"shop/Till","modifiers":1})"));
  CHECK(has(lines[0], R"("previousOwner":{"osName":"other","osThreadId":8,"javaName":"other","javaThreadId":21)"));
  CHECK(has(lines[0], R"("address":2748)"));
}

TEST_CASE("what a key of version 0.9 means depends on the time") {
  OldBuilder builder;
  builder.thread(7, "first").simple_stack(5, "a/A", "run").checkpoint(2000);
  builder.thread(7, "second").simple_stack(5, "b/B", "run").checkpoint(3000);
  const Lines lines =
      printed(builder.sample(1500, 7, 5).sample(2000, 7, 5).sample(2001, 7, 5).sample(3001, 7, 5).bytes());
  REQUIRE(lines.size() == 4);
  CHECK(has(lines[0], R"("osName":"first")"));
  CHECK(has(lines[0], R"("name":"a/A")"));
  CHECK(has(lines[1], R"("osName":"first")"));
  CHECK(has(lines[2], R"("osName":"second")"));
  CHECK(has(lines[2], R"("name":"b/B")"));
  // Behind the last checkpoint nothing is known of it, but that there was a thread.
  CHECK(has(lines[3], R"("osName":null,"osThreadId":7)"));
  CHECK(has(lines[3], R"("stackTrace":null)"));
}

TEST_CASE("the class of a loader of version 0.9 is a class loader") {
  OldBuilder builder;
  builder.name(1, "shop/Till").name(2, "app/Loader").klass(1, 1, 2).klass(2, 2).checkpoint(2000);
  const Lines lines = printed(builder.enter(1100, 1200, 0, 0, 1, 0).bytes());
  REQUIRE(lines.size() == 1);
  CHECK(has(
      lines[0],
      R"("monitorClass":{"classLoader":{"type":{"classLoader":null,"name":"app/Loader","modifiers":1},"name":null},"name":"shop/Till")"));
  CHECK(has(lines[0], R"("eventThread":null)"));
}

TEST_CASE("events of an application keep their path, texts, arrays and structures") {
  const Lines lines = printed(OldBuilder().order(1500, u"t\u00fcr", {3, 4}, 2).bytes());
  REQUIRE(lines.size() == 1);
  CHECK(has(lines[0], R"("type":"shop.new_order")"));
  CHECK(has(lines[0], "\"text\":\"t\u00fcr\",\"numbers\":[3,4],\"places\":[{\"x\":0,\"y\":1.0},{\"x\":1,\"y\":1.0}]"));
  CHECK(has(lines[0], R"("duration_":"PT0.017S")"));  // not the time that the event took
}

TEST_CASE("settings of version 0.9 are one event each") {
  constexpr int64_t kNever = std::numeric_limits<int64_t>::min();
  const Lines lines =
      printed(OldBuilder().setting(1500, OldBuilder::kSample, kNever, 20).setting(1500, 3, 10, 0).bytes());
  const auto one = [&](std::string_view tail) {
    return std::ranges::count_if(lines, [&](const std::string& line) { return has(line, std::string(tail)); });
  };
  CHECK(lines.size() == 7);
  CHECK(one(R"("id":4,"name":"enabled","value":"true")") == 1);
  CHECK(one(R"("id":4,"name":"stackTrace","value":"true")") == 1);
  CHECK(one(R"("id":4,"name":"period","value":"20 ms")") == 1);
  CHECK(one(R"("id":3,"name":"threshold","value":"10 ns")") == 1);
  CHECK(one(R"("id":3,"name":"period","value":"everyChunk")") == 1);
}

TEST_CASE("what the code cache of JDK 8 tells as bytes was kilobytes, and what was lost is told") {
  const Lines lines = printed(OldBuilder().cache(1500, 3).lost(1600, 7, 99).bytes());
  REQUIRE(lines.size() == 2);
  CHECK(has(lines[0], R"("unallocatedCapacity":3072)"));
  CHECK(has(lines[1], R"("type":"jdk.DataLoss")"));
  CHECK(has(lines[1], R"("amount":99)"));
}

TEST_CASE("chunks of version 0.9 and of today may follow each other") {
  OldBuilder old = one_old_sample();
  old.next_chunk().thread(7, "later").checkpoint(2000).sample(1700, 7, 0);
  const Bytes both = join(old.bytes(), RecordingBuilder().text(1500, "new").bytes());
  int code = -1;
  const Lines lines = printed(both, &code);
  CHECK(code == kDone);
  REQUIRE(lines.size() == 3);
  CHECK(has(lines[1], R"("osName":"later")"));
  CHECK(has(lines[2], R"("text":"new")"));
}

TEST_CASE("members of version 0.9 are read from an archive, alone and beside those of today") {
  const Workplace place;
  ArchiveAddOptions add;
  add.archive = place.path("a.recz");
  add.files = {place.write("new.jfr", RecordingBuilder().simple_stack(1, "a/B", "run").sample(1500, 1, 1).bytes()),
               place.write("old.jfr", one_old_sample().bytes())};
  REQUIRE(place.run(run_archive_add, add).code == kDone);
  CHECK(collapsed(place, add.archive + ":old.jfr") == "shop.Till.ring 1\n");
  CHECK(collapsed(place, add.archive) == "a.B.run 1\nshop.Till.ring 1\n");
}

TEST_CASE("damage: a time that is asked for of an archive takes nothing from members of version 0.9") {
  const Workplace place;
  ArchiveAddOptions add;
  add.archive = place.path("a.recz");
  add.files = {place.write("new.jfr", RecordingBuilder().simple_stack(1, "a/B", "run").sample(1500, 1, 1).bytes()),
               place.write("old.jfr", one_old_sample().bytes())};
  REQUIRE(place.run(run_archive_add, add).code == kDone);
  PrintOptions options;
  options.files = {add.archive};
  options.format = PrintFormat::kJsonLines;
  const auto lines = [&](const std::string& from, const std::string& to) {
    options.filter.from = from;
    options.filter.to = to;
    const std::string text = place.run(run_print, options).text;
    return std::ranges::count(text, '\n');
  };
  CHECK(lines("", "") == 2);
  CHECK(lines("1970-01-01T00:00:00Z", "1970-01-02T00:00:00Z") == 1);  // the other one is of 2023
  CHECK(lines("1970-01-02T00:00:00Z", "") == 1);
}

TEST_CASE("members of version 0.9 are pruned by the time that they tell of") {
  const Workplace place;
  ArchiveAddOptions add;
  add.archive = place.path("a.recz");
  add.files = {place.write("old.jfr", one_old_sample().bytes()), place.write("text", Bytes(9, 'a'))};
  REQUIRE(place.run(run_archive_add, add).code == kDone);
  ArchiveListOptions list;
  list.archive = add.archive;
  list.json = true;
  CHECK(has(place.run(run_archive_list, list).text, R"("chunks":1,"start":"1970-01-01T00:00:01Z","seconds":2.000)"));
  ArchivePruneOptions prune;
  prune.archive = add.archive;
  prune.max_age = "30d";
  CHECK(place.run(run_archive_prune, prune).text == "old.jfr\n");  // that of the other one is when it was added
}

TEST_CASE("a recording of version 0.9 is verified without complaint") {
  const Workplace place;
  OldBuilder old = one_old_sample();
  old.next_chunk().thread(7, "later").simple_stack(5, "b/B", "run").checkpoint(2000).sample(1700, 7, 5);
  const Printed whole = verified(place, place.write("old.jfr", old.bytes()));
  CHECK(whole.code == kDone);
  CHECK(has(whole.text, "2 chunks, 2 events"));
  CHECK(has(whole.text, "no problem"));
}

TEST_CASE("damage: of a recording of version 0.9 that is cut every whole chunk is read") {
  OldBuilder builder = one_old_sample();
  const size_t first = OldBuilder(builder).bytes().size();
  builder.next_chunk().sample(1700, 7, 0);
  const Bytes whole = builder.bytes();
  for (size_t size = 8; size < whole.size(); size += (size < 600 || size + 600 > first ? 1 : 7) * ::test::kThin) {
    if (size == first) continue;
    const Bytes cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    int code = -1;
    const size_t events = printed(cut, &code).size();
    INFO("cut at " << size);
    CHECK(events == (size < first ? 0 : 1));
    CHECK(code == (size < first ? kNothingReadable : kDamaged));
    CHECK(flaws(cut).size() == 1);
  }
}

TEST_CASE("damage: an event of version 0.9 that cannot be is told, and those behind the next checkpoint are read") {
  OldBuilder builder;
  builder.sample(1500, 7, 0).raw({0, 0, 0, 3, 9, 9, 9, 9}).sample(1600, 7, 0).checkpoint(2000).sample(1700, 7, 0);
  const Bytes bad = builder.bytes();
  int code = -1;
  CHECK(printed(bad, &code).size() == 2);
  CHECK(code == kDamaged);
  CHECK(flaws(bad) == Lines{"event claims 3 bytes"});
  CHECK(translated(bad).problems.kept()[0].offset == 16 + 30);
}

TEST_CASE("damage: events of version 0.9 that nobody describes, or that are too short, are told") {
  const Bytes stranger = {0, 0, 0, 16, 0, 0, 0, 77, 0, 0, 0, 0, 0, 0, 0, 0};
  Bytes brief = {0, 0, 0, 12, 0, 0, 0, 4, 0, 0, 0, 0};
  CHECK(flaws(OldBuilder().raw(stranger).bytes()) ==
        Lines{"an event of type 77, which the metadata does not describe"});
  CHECK(flaws(OldBuilder().raw(brief).bytes()) == Lines{"fields of jdk.ExecutionSample do not fit into its bytes"});
}

TEST_CASE("damage: where the chain of checkpoints of version 0.9 breaks, they are looked for") {
  OldBuilder builder;
  builder.thread(7, "first").checkpoint(2000);
  const size_t second = builder.size();
  builder.thread(8, "second").checkpoint(3000).sample(1500, 7, 0).sample(2500, 8, 0);
  Bytes bad = builder.bytes();
  put_be64(bad, second + 16, 3);  // the one before it
  const Lines lines = printed(bad);
  REQUIRE(lines.size() == 2);
  CHECK(has(lines[0], R"("osName":"first")"));
  CHECK(has(lines[1], R"("osName":"second")"));
  CHECK(flaws(bad) == Lines{"chain of checkpoints is broken"});
}

TEST_CASE("damage: where the first chunk of version 0.9 has no header the next one is read") {
  OldBuilder builder = one_old_sample();
  Bytes bad = builder.next_chunk().sample(1700, 7, 0).bytes();
  bad[0] = 'X';
  CHECK(jfr::old::is_old_recording(bad));
  int code = -1;
  CHECK(printed(bad, &code).size() == 1);
  CHECK(code == kDamaged);
  CHECK(flaws(bad) == Lines{"expected a chunk header"});
}

TEST_CASE("damage: where the header of version 0.9 does not lead to its metadata the events do") {
  OldBuilder builder = one_old_sample();
  const size_t first = OldBuilder(builder).bytes().size();
  const Bytes whole = builder.next_chunk().sample(1700, 7, 0).bytes();
  const auto second_metadata = [&] {
    uint64_t at = 0;
    for (size_t i = 0; i < 8; ++i) at = at << 8 | whole[first + 8 + i];
    return first + at;
  };
  for (const uint64_t told : {uint64_t{0}, uint64_t{20}, first + 1, second_metadata(), ~uint64_t{0}}) {
    Bytes bad = whole;
    put_be64(bad, 8, told);
    INFO("metadata at " << told);
    int code = -1;
    CHECK(printed(bad, &code).size() == 2);
    CHECK(code == kDamaged);
    CHECK(flaws(bad) == Lines{"chunk does not have its metadata where it says; its events lead there"});
  }
}

TEST_CASE("damage: of constants that refer to themselves, or in a long row, the rest is read") {
  OldBuilder builder;
  builder.name(1, "a/A").klass(1, 1, 1).group(1, 1, "itself").thread(7, "main").java_thread(3, 7);
  for (uint64_t id = 2; id < 100'000; ++id) builder.klass(id, 1, id + 1);
  const Lines lines =
      printed(builder.checkpoint(2000).enter(1100, 1200, 7, 0, 1, 3).enter(1100, 1300, 7, 0, 2, 0).bytes());
  REQUIRE(lines.size() == 2);
  CHECK(has(lines[0], R"("monitorClass":{"classLoader":null,"name":"a/A")"));
  CHECK(has(lines[0], R"("group":{"parent":null,"name":"itself"})"));
}

TEST_CASE("damage: a thread of version 0.9 whose group is a thread has no group") {
  const Bytes whole = one_old_sample().bytes();
  const std::string group = "group";
  for (const uint8_t pool : {OldBuilder::kThreads, OldBuilder::kJavaThreads}) {
    Bytes bad = whole;  // the contents of the field: behind its id, its label, an empty text and two bytes
    const auto at = std::search(bad.begin(), bad.end(), group.begin(), group.end());
    at[5 + 2 + 14 + 2 + 2 + 3] = pool;
    int code = -1;
    const Lines lines = printed(bad, &code);
    CHECK(code == kDone);
    REQUIRE(lines.size() == 1);
    CHECK(has(lines[0], R"("javaThreadId":1})"));
  }
}

TEST_CASE("damage: mutated recordings of version 0.9 become whole ones, and each flaw has its place") {
  OldBuilder builder = one_old_sample();
  builder.order(1600, u"t", {1}, 1).setting(1500, 3, 1, 1).cache(1500, 1).enter(1, 2, 7, 5, 50, 1);
  builder.next_chunk().thread(7, "x").checkpoint(2000).sample(1700, 7, 0);
  const Bytes whole = builder.bytes();
  Victim victim(whole);
  victim.chunks.push_back({0, whole.size(), {}, true});
  for (uint64_t number = 0; number < 3000; number += ::test::kThin) {
    const Mutation mutation = mutate(victim, number);
    INFO("mutation " << number << ", " << mutation.kind);
    const Translated made = translated(mutation.bytes);
    CHECK(made.bytes.size() <= 4 * whole.size() + 100'000);
    for (const base::Error& error : made.problems.kept()) CHECK(error.offset <= mutation.bytes.size());
    const Reading reading = read_texts(made.bytes);
    if (!mutation.bytes.empty() && !made.bytes.empty() && jfr::old::is_old_recording(mutation.bytes))
      CHECK(reading.problems == Lines{});
  }
}
