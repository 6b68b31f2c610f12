// SPDX-License-Identifier: Apache-2.0
// What diff, flame --diff and heatmap make of two recordings, and of time.
#include <doctest/doctest.h>
#include <rapidjson/document.h>

#include <string>
#include <vector>

#include "jrec/flame/flame.h"
#include "jrec/profile/diff.h"
#include "jrec/profile/run_marks.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/heard.h"

using namespace jrec;
using test::Bytes;
using test::RecordingBuilder;
using test::Workplace;

namespace {

// Samples of one(), two() and three(), each a stack of its own.
Bytes recording(int one, int two, int three) {
  RecordingBuilder builder;
  builder.simple_stack(1, "app/A", "one").simple_stack(2, "app/A", "two").simple_stack(3, "app/A", "three");
  const int weights[] = {one, two, three};
  for (int i = 0; i < 3; ++i)
    if (weights[i] != 0) builder.sample(i * 500'000'000 + 1'000, static_cast<uint64_t>(i + 1), weights[i]);
  return builder.bytes();
}

std::string diff(DiffOptions command, const Bytes& before, const Bytes& after, int expected = kDone) {
  const Workplace place;
  command.before = {place.write("a.jfr", before), place.write("b.jfr", after)};
  int code = -1;
  std::string text = place.output_of([&](Output& out) { return run_diff(command, out); }, code);
  CHECK(code == expected);
  return text;
}

// The page's data.
rapidjson::Document page_data(FlameOptions command, const Bytes& before, const Bytes& after) {
  const Workplace place;
  command.files = {place.write("b.jfr", after)};
  if (!before.empty()) command.before = place.write("a.jfr", before);
  int code = -1;
  const std::string page = place.output_of([&](Output& out) { return run_flame(command, out); }, code);
  CHECK(code == kDone);
  const std::string opening = "id=\"data\">";
  const size_t from = page.find(opening) + opening.size();
  rapidjson::Document document;
  const std::string text = page.substr(from, page.find("</script>", from) - from);
  document.Parse(text.c_str());
  REQUIRE_FALSE(document.HasParseError());
  return document;
}

}  // namespace

TEST_CASE("diff and flame --diff take what the VM names anew in each run for one") {
  const auto run = [](std::string_view lambda, std::string_view form) {
    RecordingBuilder builder;
    builder.simple_stack(1, lambda, "run").simple_stack(2, form, "invoke");
    return builder.sample(1'000, 1, 60).sample(2'000, 2, 40).bytes();
  };
  const Bytes before = run("app/Burn$$Lambda$14+0x00007fd1a0000a08", "jdk/internal/reflect/GeneratedMethodAccessor7");
  const Bytes after = run("app/Burn$$Lambda.0x00007fd09000b318", "jdk/internal/reflect/GeneratedMethodAccessor12");
  DiffOptions options;
  options.json = true;
  const std::string text = diff(options, before, after);
  CHECK(text.find("\"app.Burn$$Lambda.run\"") != std::string::npos);
  CHECK(text.find("\"jdk.internal.reflect.GeneratedMethodAccessor.invoke\"") != std::string::npos);
  CHECK(text.find("\"yes\"") == std::string::npos);
  const rapidjson::Document page = page_data({}, before, after);
  for (const auto& name : page["names"].GetArray())
    CHECK(std::string(name.GetString()).find("0x") == std::string::npos);
}

TEST_CASE("names of the VM's own making lose what differs from run to run, and others lose nothing") {
  const auto without = [](std::string name) {
    drop_run_marks(name);
    return name;
  };
  CHECK(without("java.lang.invoke.LambdaForm$MH+0x0000000801002400") == "java.lang.invoke.LambdaForm$MH");
  CHECK(without("a/B$$Lambda/0x00007fd1a0000a08") == "a/B$$Lambda");
  CHECK(without("a/B$$Lambda$38+0x00007f9f0c06cf18.648129364") == "a/B$$Lambda");
  CHECK(without("a/B$$Lambda$38+0x00007f9f0c06cf18/648129364") == "a/B$$Lambda");
  CHECK(without("a/B.648129364") == "a/B.648129364");
  CHECK(without("a/B/648129364") == "a/B/648129364");
  for (const char* name :
       {"", "0x00000000", "a.B", "a.B$1", "a.Lambda$12", "a.B+0x12", "a.Deadbeefcafe", "x+0x00007fd1a0000a0g"})
    CHECK(without(name) == name);
}

TEST_CASE("diff compares shares and not weights, the largest change first") {
  DiffOptions options;
  options.json = true;
  rapidjson::Document document;
  document.Parse(diff(options, recording(50, 25, 25), recording(0, 500, 500)).c_str());
  REQUIRE_FALSE(document.HasParseError());
  const auto& methods = document["methods"];
  REQUIRE(methods.Size() == 3);
  CHECK(std::string(methods[0]["name"].GetString()) == "app.A.one");
  CHECK(methods[0]["selfPoints"].GetDouble() == doctest::Approx(-50));
  CHECK(methods[1]["selfPoints"].GetDouble() == doctest::Approx(25));
  CHECK(methods[1]["before"]["self"].GetInt() == 25);
  CHECK(methods[1]["after"]["self"].GetInt() == 500);
}

TEST_CASE("diff of a recording with itself shows no change") {
  const std::string text = diff({}, recording(1, 2, 3), recording(1, 2, 3));
  CHECK(text.find("+0.00") != std::string::npos);
  CHECK(text.find("+0.01") == std::string::npos);
  CHECK(text.find("-0.01") == std::string::npos);
}

TEST_CASE("damage: diff of a damaged recording prints what is good, and says so") {
  Bytes cut = recording(1, 2, 3);
  cut.resize(cut.size() - 5);
  CHECK_FALSE(diff({}, recording(1, 2, 3), cut, kDamaged).empty());
}

TEST_CASE("a differential flame graph holds the weights of both recordings") {
  const auto data = page_data({}, recording(4, 0, 6), recording(1, 2, 0));
  CHECK(data["total"].GetInt() == 3);
  CHECK(data["before"].Size() * 4 == data["nodes"].Size());
  int before = 0, after = 0;
  for (const auto& weight : data["before"].GetArray()) before += weight.GetInt();
  for (rapidjson::SizeType i = 3; i < data["nodes"].Size(); i += 4) after += data["nodes"][i].GetInt();
  CHECK(before == 10);
  CHECK(after == 3);
}

TEST_CASE("what a page folds is told, and no weight is lost by it") {
  FlameOptions options;
  options.frames = 1;
  const auto data = page_data(options, {}, recording(40, 2, 1));
  CHECK(data["folded"].GetInt() == 2);
  CHECK(data["folded_weight"].GetInt() == 3);
  int total = 0;
  for (rapidjson::SizeType i = 3; i < data["nodes"].Size(); i += 4) total += data["nodes"][i].GetInt();
  CHECK(total == 43);
  options.frames = 0;
  CHECK_FALSE(page_data(options, {}, recording(40, 2, 1)).HasMember("folded"));
}

TEST_CASE("a page of a part of the time has that part alone on its axis") {
  FlameOptions options;
  options.profile.filter.from = "250";
  options.profile.filter.to = "750";
  const auto data = page_data(options, {}, recording(4, 5, 6));
  CHECK(data["total"].GetInt() == 5);
  CHECK(data["seconds"].GetDouble() == doctest::Approx(0.5).epsilon(0.01));
}

TEST_CASE("the timeline of a page adds up to its total, by nodes too") {
  for (const bool heatmap : {false, true}) {
    FlameOptions options;
    options.heatmap = heatmap;
    const auto data = page_data(options, {}, recording(4, 5, 6));
    const auto& timeline = data["timeline"];
    const rapidjson::SizeType size = timeline["time"].Size();
    REQUIRE(size == 3);
    uint64_t total = 0, bucket = 0;
    unsigned node = 0;
    for (rapidjson::SizeType i = 0; i < size; ++i) {
      total += timeline["weight"][i].GetUint64();
      bucket += timeline["time"][i].GetUint64();
      node += timeline["node"][i].GetInt();
      CHECK(data["nodes"][(node - 1) * 4 + 3].GetUint64() == timeline["weight"][i].GetUint64());
      CHECK(timeline["thread"][i].GetUint() < data["threads"].Size());
    }
    CHECK(total == 15);
    CHECK(bucket < timeline["buckets"].GetUint64());
    CHECK(static_cast<double>(bucket) * timeline["bucket_ms"].GetDouble() == doctest::Approx(1000).epsilon(0.02));
    if (heatmap) CHECK(timeline["rows"].GetInt() * timeline["bucket_ms"].GetDouble() == doctest::Approx(1000));
  }
}

TEST_CASE("the sentences above diff's table fit into its width") {
  DiffOptions options;
  options.width = 60;
  const std::string text = diff(options, recording(600, 300, 100), recording(300, 600, 100));
  const std::string head = text.substr(0, text.find("\n\n"));
  CHECK(head.find("Too few samples") != std::string::npos);
  for (size_t from = 0; from < head.size();) {
    const size_t end = std::min(head.find('\n', from), head.size());
    const std::string line = head.substr(from, end - from);
    CHECK_MESSAGE((line.size() <= 60 || line.find(' ') == std::string::npos), line);
    from = end + 1;
  }
}

TEST_CASE("formats that contradict each other are refused") {
  const Workplace place;
  const std::string file = place.write("a.jfr", recording(3, 2, 1));
  const std::vector<std::vector<std::string>> all = {{"diff", file, file, "--json", "--markdown"},
                                                     {"findings", file, "--json", "--markdown"},
                                                     {"sql", "--json", "--csv", file, "select 1"},
                                                     {"sql", "--markdown", "--json", file, "select 1"}};
  for (const std::vector<std::string>& words : all) {
    const test::Heard heard = test::hear(place, words);
    CHECK(heard.code == kUsageError);
    CHECK_MESSAGE(heard.err.find("excludes") != std::string::npos, heard.err);
    CHECK(heard.out.empty());
  }
}
