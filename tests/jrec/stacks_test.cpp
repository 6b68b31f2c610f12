// SPDX-License-Identifier: Apache-2.0
// What collapsed, hot and flame make of samples.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "format/reader/chunk_scanner.h"
#include "jrec/flame/flame.h"
#include "jrec/print/summary.h"
#include "jrec/profile/collapsed.h"
#include "jrec/profile/hot.h"
#include "jrec/profile/sample_kind.h"
#include "jrec/profile/sample_reader.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/heard.h"
#include "tests/text.h"

using namespace jrec;
using test::Bytes;
using test::occurrences;
using test::RecordingBuilder;
using test::Workplace;

namespace {

// main() calls work(), which calls itself once and leaf().
RecordingBuilder working_program() {
  RecordingBuilder builder;
  builder.frame_type(1, "JIT compiled")
      .symbol(1, "app/Main")
      .symbol(2, "main")
      .symbol(3, "work")
      .symbol(4, "leaf")
      .klass(1, 1);
  builder.method(1, 1, 2).method(2, 1, 3).method(3, 1, 4);
  builder.stack(1, {{3, 9}, {2, 5}, {2, 5}, {1, 1}}).stack(2, {{2, 5}, {1, 1}}).stack(3, {{2, 5}}, true);
  return builder;
}

std::string collapsed(const Bytes& recording, ProfileOptions options = {}, int expected = kDone) {
  const Workplace place;
  const CollapsedOptions command{{place.write("a.jfr", recording)}, options};
  int code = -1;
  std::string text = place.output_of([&](Output& out) { return run_collapsed(command, out); }, code);
  CHECK(code == expected);
  return text;
}

std::string flame(const Bytes& recording) {
  const Workplace place;
  FlameOptions command;
  command.files = {place.write("a.jfr", recording)};
  command.out = place.path("a.html");
  command.title = "<i>title</i>";
  int code = -1;
  place.output_of([&](Output& out) { return run_flame(command, out); }, code);
  CHECK(code == kDone);
  return place.read("a.html");
}

}  // namespace

TEST_CASE("collapsed writes frames from the root, dotted, with the sum of the weights") {
  const Bytes file = working_program().sample(1, 1, 3).sample(2, 1).sample(3, 2, 5).bytes();
  CHECK(collapsed(file) ==
        "app.Main.main;app.Main.work 5\napp.Main.main;app.Main.work;app.Main.work;app.Main.leaf 4\n");
}

TEST_CASE("collapsed counts events when asked for samples") {
  ProfileOptions options;
  options.count_samples = true;
  const Bytes file = working_program().sample(1, 1, 3).sample(2, 1).sample(3, 2, 5).bytes();
  CHECK(collapsed(file, options) ==
        "app.Main.main;app.Main.work 1\napp.Main.main;app.Main.work;app.Main.work;app.Main.leaf 2\n");
}

TEST_CASE("wall shows execution samples where a recording has no samples of the wall clock") {
  ProfileOptions options;
  options.event = "wall";
  const Bytes file = working_program().sample(1, 1, 3).sample(2, 2, 5).sample(3, 77).bytes();
  CHECK(collapsed(file, options) == collapsed(file));
  CHECK(occurrences(collapsed(file, options), "[no stack] 1\n") == 1);
}

TEST_CASE("allocations and locks of all kinds are added up, and a recording of several is not counted twice") {
  const SampleKind alloc = sample_kind("alloc");
  REQUIRE(alloc.choices.size() == 2);
  CHECK(alloc.choice_with(0) == SampleKind::Types{"jdk.ObjectAllocationSample"});
  CHECK(alloc.choice_with(1) == alloc.choices[1]);
  CHECK(alloc.choice_with(2) == alloc.choices[1]);
  CHECK(alloc.choices[1].size() == 2);
  CHECK(sample_kind("lock").choices.size() == 1);
  CHECK(sample_kind("lock").all_types() == SampleKind::Types{"jdk.JavaMonitorEnter", "jdk.ThreadPark"});
  CHECK(sample_kind("io").choices == std::vector<SampleKind::Types>{event_types_for("io")});
  CHECK(sample_kind("my.Event").all_types() == SampleKind::Types{"my.Event"});
}

TEST_CASE("what a weight is follows from the type of event, unless events are counted") {
  CHECK(weight_unit("jdk.ObjectAllocationOutsideTLAB", false) == "bytes");
  CHECK(weight_unit("jdk.ThreadPark", false) == "ns");
  CHECK(weight_unit("jdk.SocketRead", false) == "ns");
  CHECK(weight_unit("jdk.ThreadPark", true) == "samples");
  CHECK(weight_field("profiler.WallClockSample").name == "samples");
  CHECK(weight_field("my.Event").name == "weight");
}

TEST_CASE("collapsed marks truncated stacks when asked to") {
  ProfileOptions options;
  options.mark_truncated = true;
  const Bytes file = working_program().sample(1, 3).bytes();
  CHECK(collapsed(file) == "app.Main.work 1\n");
  CHECK(collapsed(file, options) == "[truncated];app.Main.work 1\n");
}

TEST_CASE("samples without stack, and frames without method, are shown as such and not dropped") {
  const Bytes file = working_program().stack(9, {{99, 1}, {1, 1}}).sample(1, 77).sample(2, 0).sample(3, 9).bytes();
  CHECK(collapsed(file) == "[no stack] 2\napp.Main.main;[unknown] 1\n");
}

TEST_CASE("stacks of several chunks are merged, though their keys mean other things in each") {
  const Bytes file = RecordingBuilder()
                         .simple_stack(1, "A", "a")
                         .sample(1, 1)
                         .next_chunk()
                         .simple_stack(1, "B", "b")
                         .simple_stack(2, "A", "a")
                         .sample(2, 1)
                         .sample(3, 2)
                         .bytes();
  CHECK(collapsed(file) == "A.a 2\nB.b 1\n");
}

TEST_CASE("a line of collapsed can be taken apart whatever the names") {
  const Bytes file = RecordingBuilder().simple_stack(1, "A;B", "m\n;\x1b[0m").sample(1, 1).bytes();
  CHECK(collapsed(file) == "A,B.m\\x0a,\\x1b[0m 1\n");
}

TEST_CASE("damage: the good chunks of a damaged recording are shown, and the exit code tells") {
  Bytes file = RecordingBuilder().simple_stack(1, "A", "a").sample(1, 1).next_chunk().bytes();
  file.resize(file.size() - 3);
  CHECK(collapsed(file, {}, kDamaged) == "A.a 1\n");
  CHECK(collapsed(Bytes(300, 'x'), {}, kNothingReadable).empty());
}

TEST_CASE("hot counts a recursive method once in its total") {
  StackTree tree;
  const StackTree::Frame main{tree.intern("main")}, work{tree.intern("work")}, leaf{tree.intern("leaf")};
  const StackTree::Frame deep[] = {main, work, work, leaf}, flat[] = {main, work};
  tree.add(deep, 4);
  tree.add(flat, 5);
  const std::vector<HotMethod> methods = hot_methods(tree);
  REQUIRE(methods.size() == 3);
  CHECK(tree.names()[methods[0].name] == "work");
  CHECK(methods[0].self == 5);
  CHECK(methods[0].total == 9);
  CHECK(tree.names()[methods[1].name] == "leaf");
  CHECK(methods[1].self == 4);
  CHECK(tree.names()[methods[2].name] == "main");
  CHECK(methods[2].total == 9);
}

TEST_CASE("hot fits the width it is given") {
  const Workplace place;
  HotOptions command;
  command.files = {place.write(
      "a.jfr", RecordingBuilder().simple_stack(1, std::string(300, 'P') + "/C", "method").sample(1, 1).bytes())};
  command.width = 80;
  int code = -1;
  const std::string text = place.output_of([&](Output& out) { return run_hot(command, out); }, code);
  CHECK(code == kDone);
  size_t longest = 0;
  for (size_t from = 0, to; (to = text.find('\n', from)) != std::string::npos; from = to + 1)
    longest = std::max(longest, to - from);
  CHECK(longest <= 80);
  CHECK(text.find("PPP.C.method\n") != std::string::npos);
}

TEST_CASE("the flame page is one file that loads nothing, and no name can leave its data") {
  const std::string page = flame(
      RecordingBuilder().simple_stack(1, "</script><script>alert(1)</script>", "<img src=x>").sample(1, 1, 7).bytes());
  CHECK(page.find("alert(1)") != std::string::npos);
  CHECK(page.find("<script>alert") == std::string::npos);
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("<i>title") == std::string::npos);
  CHECK(page.find("&lt;i&gt;title&lt;/i&gt;") != std::string::npos);
  CHECK(occurrences(page, "<script") == 2);
  CHECK(occurrences(page, "</script>") == 2);
  CHECK(page.find("http:") == std::string::npos);
  CHECK(page.find("https:") == std::string::npos);
  CHECK(page.find("default-src 'none'") != std::string::npos);
  CHECK(page.find("{{") == std::string::npos);
  CHECK(page.size() < 100'000);
  CHECK(page.find("\"total\":7,\"samples\":1") != std::string::npos);
}

TEST_CASE("the weights in the flame page add up to the total") {
  const std::string page = flame(working_program().sample(1, 1, 3).sample(2, 2, 4).sample(3, 3, 5).bytes());
  const size_t from = page.find("\"nodes\":[") + 9;
  const std::string nodes = page.substr(from, page.find(']', from) - from);
  std::vector<long> numbers;
  for (size_t at = 0; at < nodes.size(); at = std::min(nodes.find(',', at), nodes.size() - 1) + 1)
    numbers.push_back(std::stol(nodes.substr(at)));
  REQUIRE(numbers.size() % 4 == 0);
  long sum = 0;
  for (size_t i = 3; i < numbers.size(); i += 4) sum += numbers[i];
  CHECK(sum == 12);
  CHECK(page.find("\"total\":12,\"samples\":3,\"truncated\":1") != std::string::npos);
}

TEST_CASE("a page that cannot be written is an error, and leaves nothing behind") {
  const Workplace place;
  FlameOptions command;
  command.files = {place.write("a.jfr", working_program().sample(1, 1).bytes())};
  command.out = place.path("missing/a.html");
  int code = -1;
  place.output_of([&](Output& out) { return run_flame(command, out); }, code);
  CHECK(code == kOutputFailed);
}

TEST_CASE("a weight that a program declares as unsigned has no sign") {
  const Bytes recording = RecordingBuilder().sample(1, 0, -3).bytes();
  jfr::read::Problems problems;
  jfr::read::ChunkScanner scanner(recording, problems);
  jfr::read::Chunk chunk(recording, *scanner.next(), problems);
  SampleLayout layout = sample_layout(chunk, "jdk.ExecutionSample", false);
  jfr::read::Type type = *layout.type;
  type.fields[static_cast<size_t>(layout.weight)].is_unsigned = true;
  layout.type = &type;
  SampleReader reader(chunk);
  SampleValues values;
  uint64_t weight = 0;
  auto walk = chunk.events();
  for (jfr::read::Event event; walk.next(event);)
    if (event.type_id == type.id && reader.read(event, layout, values)) weight = values.weight;
  CHECK(weight == 4294967293);
}

TEST_CASE("-n 0 is all rows, and --rows is, in every command") {
  const Workplace place;
  RecordingBuilder builder, idle;
  for (uint64_t i = 1; i <= 30; ++i) {
    const std::string name = "m" + std::to_string(i) + "_";
    builder.simple_stack(i, "app/Main", name).sample(1'000 + static_cast<int64_t>(i), i, 1);
  }
  const std::string file = place.write("a.jfr", builder.bytes()),
                    before =
                        place.write("b.jfr", idle.simple_stack(1, "app/Main", "idle").sample(1'000, 1, 30).bytes());
  const auto rows = [&](std::vector<std::string> words) {
    const test::Heard heard = test::hear(place, words);
    CHECK_MESSAGE(heard.code == kDone, heard.err);
    return occurrences(heard.out, "_");
  };
  CHECK(rows({"hot", file}) == 20);
  CHECK(rows({"hot", "-n", "0", file}) == 30);
  CHECK(rows({"view", "hot-methods", "-n", "3", file}) == 3);
  CHECK(rows({"view", "hot-methods", "-n", "0", file}) == 30);
  CHECK(rows({"view", "hot-methods", "--all-rows", file}) == 30);
  CHECK(rows({"diff", "-n", "0", before, file}) == 30);
  CHECK(rows({"flame", "--text", "--rows", "0", file}) == 30);
  CHECK(rows({"top", "-n", "1", "-d", "0.05", "--rows", "0", file}) == 30);
}
