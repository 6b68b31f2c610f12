// SPDX-License-Identifier: Apache-2.0
// The page that `jrec report` makes: what it says of samples, lanes and tables is what the recording has, of one file or several.
#include "jrec/report/report.h"

#include <doctest/doctest.h>
#include <rapidjson/document.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "jrec/flame/folded_tree.h"
#include "jrec/profile/thread_group.h"
#include "jrec/report/axis.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/files.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/jrec/our_chunk.h"

using namespace jrec;
using test::Bytes;
using test::has;
using test::RecordingBuilder;
using test::Workplace;

namespace {

constexpr int64_t kMillisecond = 1'000'000;

rapidjson::Document data_of(const std::string& page) {
  const std::string opening = "id=\"data\">";
  const size_t from = page.find(opening) + opening.size();
  rapidjson::Document document;
  const std::string text = page.substr(from, page.find("</script>", from) - from);
  document.Parse<rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
  REQUIRE_FALSE(document.HasParseError());
  return document;
}

std::string page_of(const Workplace& place, const std::vector<std::string>& files, int expected = kDone) {
  const test::Quiet quiet;
  ReportOptions options;
  options.files = files;
  const test::Said said = place.run(run_report, options);
  CHECK(said.code == expected);
  return said.text;
}

rapidjson::Document report(const Bytes& recording, int expected = kDone) {
  const Workplace place;
  return data_of(page_of(place, {place.write("a.jfr", recording)}, expected));
}

Bytes program(int64_t ticks, int32_t weight) {
  RecordingBuilder builder;
  builder.simple_stack(1, "app/Main", "work").simple_stack(2, "app/Main", "idle");
  return builder.sample(ticks, 1, weight).sample(ticks + 1000, 2, 5).bytes();
}

uint64_t sum_of(const rapidjson::Value& numbers, rapidjson::SizeType from = 0, rapidjson::SizeType step = 1) {
  uint64_t sum = 0;
  for (rapidjson::SizeType i = from; i < numbers.Size(); i += step) sum += numbers[i].GetUint64();
  return sum;
}

const rapidjson::Value& named(const rapidjson::Value& list, const char* key, const std::string& name) {
  for (const auto& each : list.GetArray())
    if (each[key].GetString() == name) return each;
  FAIL("there is no " << name);
  return list;
}

// A chunk of our own, with events as `write` makes them, their times behind sample::kStart; a second long.
template <typename Write>
std::string our_recording(const Workplace& place, Write write) {
  const std::string directory = place.path("ours");
  std::filesystem::create_directories(directory);
  auto chunk = jfr::ChunkFile::create(directory, "a.jfr", 64 << 10, {1'700'000'000'000'000'000, sample::kStart});
  REQUIRE(chunk.ok());
  jfr::CheckpointBuilder constants;
  sample::constants(constants, 1);
  jfr::ByteSink events;
  const auto event = [&](jfr::TypeId type, int64_t after_ns, auto fields) {
    const size_t at = events.reserve_size();
    events.leb(static_cast<uint64_t>(type));
    events.leb_i64(sample::kStart + after_ns);
    fields(events);
    events.patch_size(at, static_cast<uint32_t>(events.size() - at));
  };
  write(event);
  REQUIRE(chunk->append(constants, events.bytes(), sample::kStart + 500 * kMillisecond).ok());
  REQUIRE(chunk->close(sample::kStart + 1000 * kMillisecond, false).ok());
  return directory + "/a.jfr";
}

}  // namespace

TEST_CASE("a report is one file that loads nothing, and no name can leave its data") {
  const Workplace place;
  const Bytes evil =
      RecordingBuilder().simple_stack(1, "</script><script>alert(1)</script>", "<img>").sample(1, 1, 7).bytes();
  const std::string page = page_of(place, {place.write("<b>.jfr", evil)});
  CHECK(has(page, "alert(1)"));
  for (const char* never : {"<script>alert", "<img", "<b>", "http:", "https:", "{{"}) CHECK_FALSE(has(page, never));
  CHECK(has(page, "default-src 'none'"));
  CHECK(page.size() < 200'000);
}

TEST_CASE("the weights of a report's clock are those of the samples, by node and over time") {
  const auto data = report(program(1000, 30));
  REQUIRE(data["clocks"].Size() == 1);
  const auto& clock = data["clocks"][0];
  CHECK(std::string(clock["id"].GetString()) == "cpu");
  CHECK(clock["samples"].GetInt() == 2);
  CHECK(sum_of(clock["nodes"], 3, 4) == 35);
  CHECK(sum_of(clock["weight"]) == 35);
  unsigned node = 0;  // each is written as its distance from the one before
  for (rapidjson::SizeType i = 0; i < clock["node"].Size(); ++i) {
    node += clock["node"][i].GetInt();
    CHECK(clock["nodes"][(node - 1) * 4 + 3].GetUint64() == clock["weight"][i].GetUint64());
    CHECK(clock["thread"][i].GetUint() < data["threads"].Size());
  }
  CHECK(sum_of(clock["time"]) < data["buckets"].GetUint64());
}

TEST_CASE("the axis of a report has fine steps to zoom into: a second each of an hour, and a millisecond at least") {
  const auto axis_of = [](int64_t seconds) {
    RecordingSpan span;
    span.start_ns = sample::kStart;
    span.end_ns = sample::kStart + seconds * 1000 * kMillisecond;
    return ReportAxis::of(span, TimeRange{});
  };
  CHECK(axis_of(3600).bucket_ns == 1001 * kMillisecond);
  CHECK(axis_of(3600).buckets() <= ReportAxis::kBuckets);
  CHECK(axis_of(1).bucket_ns == kMillisecond);
  CHECK(axis_of(0).buckets() == 1);
}

TEST_CASE("several recordings are one report, whichever is named first") {
  const Workplace place;
  const std::string a = place.write("a.jfr", program(1000, 30)), b = place.write("b.jfr", program(3000, 400));
  for (const auto& files : {std::vector{a, b}, std::vector{b, a}}) {
    const auto data = data_of(page_of(place, files));
    CHECK(sum_of(data["clocks"][0]["weight"]) == 440);
    CHECK(data["names"].Size() == 2);
  }
}

TEST_CASE("damage: of several recordings, the one that is damaged is named, with its own offset") {
  const Workplace place;
  Bytes cut = program(3000, 400);
  cut.resize(cut.size() - 3);
  const std::string a = place.write("a.jfr", program(1000, 30)), b = place.write("b.jfr", cut);
  const test::Heard joined = test::hear(place, {"report", "-o", place.path("page.html"), a, b});
  const test::Heard alone = test::hear(place, {"report", "-o", place.path("page.html"), b});
  CHECK(joined.code == kDamaged);
  CHECK(has(joined.err, "b.jfr: at 0x"));
  CHECK(joined.err == alone.err);
}

TEST_CASE("damage: what is whole of a recording is reported, and what is none is not") {
  Bytes cut = program(1000, 30);
  cut.resize(cut.size() - 3);
  CHECK(sum_of(report(cut, kDamaged)["clocks"][0]["weight"]) == 35);
  const Workplace place;
  CHECK(page_of(place, {place.write("a.jfr", Bytes(200, 'x'))}, kNothingReadable).empty());
}

TEST_CASE(
    "the overview of a report comes first, with all but samples and findings, and of nothing that can be read it does "
    "not") {
  const Workplace place;
  const test::Quiet quiet;
  const auto early_of = [&](const Bytes& bytes) {
    Recording recording(place.write("a.jfr", bytes));
    std::string early;
    if (recording.open()) (void)report_data(recording, {}, [&](const std::string& json) { early = json; });
    return early;
  };
  const std::string early = early_of(program(1000, 3));
  rapidjson::Document data;
  data.Parse(early.data(), early.size());
  REQUIRE_FALSE(data.HasParseError());
  CHECK(data["unfinished"].IsTrue());
  CHECK(data["clocks"].Empty());
  CHECK(data["findings"].Empty());
  const auto whole = report(program(1000, 3));
  CHECK_FALSE(whole.HasMember("unfinished"));
  CHECK(data["lanes"] == whole["lanes"]);
  CHECK(data["tables"] == whole["tables"]);
  CHECK(early_of(Bytes(5000, 'x')).empty());
}

TEST_CASE("a report of nothing says that the filter has left nothing") {
  const Workplace place;
  const test::Quiet quiet;
  ReportOptions options;
  options.files = {place.write("a.jfr", program(1'000, 1))};
  options.filter.threads = "nobody";
  const rapidjson::Document data = data_of(place.run(run_report, options).text);
  CHECK(data.HasMember("empty"));
  CHECK_FALSE(report(program(1'000, 1)).HasMember("empty"));
}

TEST_CASE("a report of a part says of what run it is, and has lost what was lost in it") {
  const Workplace place;
  const test::Quiet quiet;
  test::MadeEvents made;
  made.seconds(10).add("jdk.JVMInformation", 0, {{"jvmName", test::made::text("A VM")}});
  made.add("jdk.CPUInformation", 0, {{"hwThreads", test::made::whole(8)}});
  made.add("jdk.CPUTimeSamplesLost", 1000, {{"lostSamples", test::made::whole(12)}});
  for (const int64_t at_ms : {1000, 5000}) made.add("jdk.GCPhasePause", at_ms, {{"duration", test::made::span_ms(20)}});
  const std::string file = place.write("a.jfr", made.bytes());
  const auto facts_of = [&](const FilterOptions& filter) {
    ReportOptions options;
    options.files = {file};
    options.filter = filter;
    const rapidjson::Document data = data_of(place.run(run_report, options).text);
    std::map<std::string, std::string> facts;
    for (const auto& fact : data["facts"].GetArray()) facts[fact[0].GetString()] = fact[1].GetString();
    if (!data["lost"].Empty()) facts["lost"] = "some";
    return facts;
  };
  const std::map<std::string, std::string> run = {{"JVM", "A VM"}, {"CPUs", "8"}};
  FilterOptions part, where;
  part.from = "4s";
  part.to = "6s";
  where.where = "duration > 1ms";
  CHECK(facts_of(part) == run);
  CHECK(facts_of(where) == run);
  CHECK(facts_of({})["lost"] == "some");
}

TEST_CASE("a recording without samples is reported all the same") {
  RecordingBuilder builder;
  builder.loss(1000, 12);
  const auto data = report(builder.bytes());
  CHECK(data["clocks"].Empty());
  CHECK(data["findings"].IsArray());
  CHECK(data["lost"][0][1].GetInt() == 12);
}

TEST_CASE("lanes have the values of their events, in the bucket of their time") {
  const Workplace place;
  const auto data = data_of(page_of(place, {our_recording(place, [](auto event) {
                                      for (const int64_t ms : {100, 200})
                                        event(jfr::TypeId::kCpuLoad, ms * kMillisecond, [&](jfr::ByteSink& to) {
                                          to.f32(0.25f), to.f32(0.125f), to.f32(static_cast<float>(ms) / 400);
                                        });
                                    })}));
  const auto& machine = named(data["lanes"], "name", "machine");
  REQUIRE(machine["at"].Size() == 2);
  const double bucket_ms = data["bucket_ms"].GetDouble();
  CHECK(machine["at"][0].GetDouble() * bucket_ms == doctest::Approx(100).epsilon(0.03));
  CHECK(machine["at"][1].GetDouble() * bucket_ms == doctest::Approx(100).epsilon(0.03));  // behind the one before
  CHECK(machine["high"][1].GetDouble() == doctest::Approx(0.5));
  CHECK(named(data["lanes"], "name", "JVM, user")["low"][0].GetDouble() == doctest::Approx(0.25));
}

TEST_CASE("a wait is spread over its time: the lane adds up to how long threads waited") {
  const Workplace place;
  const auto data = data_of(page_of(place, {our_recording(place, [](auto event) {
                                      event(jfr::TypeId::kJavaMonitorEnter, 100 * kMillisecond, [&](jfr::ByteSink& to) {
                                        to.leb_i64(300 * kMillisecond);
                                        for (const uint64_t field : {1u, 1u, 1u, 0u, 0u})
                                          to.leb(field);  // thread, stack, class, owner, address
                                      });
                                    })}));
  const auto& waits = named(data["lanes"], "name", "monitors");
  double waited = 0;
  for (const auto& threads : waits["high"].GetArray()) waited += threads.GetDouble() * data["bucket_ms"].GetDouble();
  CHECK(waited == doctest::Approx(300).epsilon(0.001));
  CHECK(sum_of(named(data["clocks"], "id", "lock")["weight"]) == 300 * kMillisecond);
  CHECK(named(data["clocks"], "id", "lock")["weight"].Size() > 100);
  CHECK(std::string(named(data["tables"], "view", "contention-by-class")["rows"][0][0].GetString()) == "shop.Cart1");
}

TEST_CASE("a count since the start becomes a rate") {
  const Workplace place;
  const auto data = data_of(page_of(place, {our_recording(place, [](auto event) {
                                      for (const int64_t ms : {100, 300, 500})
                                        event(jfr::TypeId::kExceptionStatistics, ms * kMillisecond,
                                              [&](jfr::ByteSink& to) { to.leb_i64(ms * ms); });
                                    })}));
  const auto& thrown = named(data["lanes"], "lane", "thrown");
  REQUIRE(thrown["high"].Size() == 2);
  CHECK(thrown["high"][0].GetDouble() == doctest::Approx(80'000 / 0.2).epsilon(0.001));
  CHECK(thrown["high"][1].GetDouble() == doctest::Approx(160'000 / 0.2).epsilon(0.001));
}

TEST_CASE("samples keep the state of their thread") {
  const Workplace place;
  const auto data = data_of(page_of(place, {our_recording(place, [](auto event) {
                                      event(jfr::TypeId::kExecutionSample, kMillisecond, [](jfr::ByteSink& to) {
                                        for (const uint64_t field : {1u, 1u, 5u})
                                          to.leb(field);  // thread, stack, state
                                      });
                                    })}));
  const auto& clock = data["clocks"][0];
  REQUIRE(clock.HasMember("state"));
  CHECK(has(data["states"][clock["state"][0].GetUint()].GetString(), "STATE_"));
  CHECK(data["threads"][0][2].GetInt() == static_cast<int>(ThreadGroup::kJava));
}

uint32_t add_stack(StackTree& tree, std::initializer_list<const char*> names, uint64_t weight) {
  std::vector<StackTree::Frame> frames;
  for (const char* name : names) frames.push_back({tree.intern(name)});
  return tree.add(frames, weight);
}

TEST_CASE("folding keeps all weight, and every frame that is heavier than those it folds") {
  StackTree whole;
  add_stack(whole, {"main", "run", "work"}, 90);
  add_stack(whole, {"main", "other"}, 50);
  const uint32_t thin = add_stack(whole, {"main", "a", "b", "c"}, 2), other = add_stack(whole, {"main", "d"}, 1);
  const FoldedTree folded = fold_tree(whole, 4);
  CHECK(folded.tree.total() == 143);
  CHECK(folded.weight == 3);
  CHECK(folded.folded == 4);  // a b c d
  const auto& nodes = folded.tree.nodes();
  const auto name_of = [&](uint32_t node) { return folded.tree.names()[nodes[node].name]; };
  CHECK(name_of(folded.node[thin]) == "c");
  CHECK(name_of(folded.node[other]) == "d");
  const uint32_t parent = nodes[folded.node[thin]].parent;
  CHECK(nodes[folded.node[other]].parent == parent);
  CHECK(name_of(parent) == kFoldedFrame);
  CHECK(name_of(nodes[parent].parent) == "main");
  for (size_t i = 0; i < whole.names().size(); ++i) CHECK(folded.tree.names()[i] == whole.names()[i]);
  CHECK(fold_tree(whole, 100).folded == 0);
  CHECK(fold_tree(whole, 100).tree.nodes().size() == whole.nodes().size());
}

TEST_CASE("of frames that weigh the same the deepest are folded, and not all of them") {
  StackTree whole;
  for (const char* top : {"a", "b", "c", "d"}) add_stack(whole, {"main", top, "deep"}, 1);
  const FoldedTree folded = fold_tree(whole, 8);  // of 9
  CHECK(folded.folded == 4);
  CHECK(folded.weight == 4);
  CHECK(folded.tree.total() == 4);
  CHECK(folded.tree.nodes().size() == 1 + 1 + 4 + 4 + 4);  // root, main, tops, [folded] on each, deep on these
  CHECK(fold_tree(whole, 9).folded == 0);
}

TEST_CASE(
    "what a method takes by itself is told whatever is folded, and a frame is added for those alone that matter") {
  StackTree whole;
  for (int i = 0; i < 5000; ++i) {
    const uint32_t under = whole.intern("under" + std::to_string(i));
    const std::vector<StackTree::Frame> hot{{whole.intern("main")}, {under}, {whole.intern("hot")}},
        cold{{whole.intern("main")}, {under}, {whole.intern("cold" + std::to_string(i))}};
    whole.add(hot, 3);
    whole.add(cold, 1);
  }
  const FoldedTree folded = fold_tree(whole, 100);
  const auto& nodes = folded.tree.nodes();
  uint64_t hot = 0;
  for (uint32_t i = 1; i < nodes.size(); ++i)
    if (folded.tree.names()[nodes[i].name] == "hot") hot += folded.tree.self(i);
  CHECK(hot == 15'000);
  CHECK(folded.tree.total() == 20'000);
  CHECK(nodes.size() < 200);
}

TEST_CASE("a page keeps its time and all weight where nearly each sample has a stack and a thread of its own") {
  constexpr uint32_t kSamples = 20'000;
  StackTree whole;
  std::vector<TimedSample> samples;
  for (uint32_t i = 0; i < kSamples; ++i) {
    const std::vector<StackTree::Frame> frames{{whole.intern("run")}, {whole.intern("site" + std::to_string(i))}};
    samples.push_back({i * int64_t{1'000'000}, 2, 0, whole.add(frames, 2), i % 40, 0, 0});
  }
  FlameTimeline timeline = FlameTimeline::over(0, uint64_t{kSamples} * 1'000'000, 1'000'000, false);
  timeline.add({0, 0, 0, samples, 1});
  const PlacedTree placed = place_on_page(whole, timeline, 100'000, 1000);
  uint64_t weight = 0;
  for (const FlameTimeline::Entry& entry : timeline.entries()) weight += entry.weight;
  CHECK(weight == 2 * kSamples);
  CHECK(placed.folded.tree.total() == 2 * kSamples);
  CHECK(timeline.entries().size() <= 5'000);
  CHECK(timeline.buckets() >= FlameTimeline::kFewestBuckets / 4);
  for (const StackTree::Node& node : placed.folded.tree.nodes())
    if (placed.folded.tree.names()[node.name] == kFoldedFrame && node.parent != 0)
      CHECK(placed.folded.tree.names()[placed.folded.tree.nodes()[node.parent].name] != kFoldedFrame);
}

TEST_CASE("threads are told apart by what they are for") {
  CHECK(thread_group({"main", 7, 1}) == ThreadGroup::kJava);
  CHECK(thread_group({"GC Thread#0", 7, 0}) == ThreadGroup::kCollector);
  CHECK(thread_group({"G1 Service", 7, 12}) == ThreadGroup::kJava);  // Java may call a thread anything
  CHECK(thread_group({"C2 CompilerThre", 7, 0}) == ThreadGroup::kCompiler);
  CHECK(thread_group({"C1 CompilerThread0", 7, 20}) == ThreadGroup::kCompiler);
  CHECK(thread_group({"VM Thread", 7, 0}) == ThreadGroup::kOther);
}
