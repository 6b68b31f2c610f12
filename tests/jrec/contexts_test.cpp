// SPDX-License-Identifier: Apache-2.0
// Trace and span of samples, from the recorder to what jrec says of them.
#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <protozero/pbf_reader.hpp>
#include <thread>

#include "jrec/convert/convert.h"
#include "jrec/profile/collapsed.h"
#include "jrec/recover/recover.h"
#include "jrec/select/chunk_contexts.h"
#include "jrec/sql/sql_command.h"
#include "recorder/spool/context_event.h"
#include "recorder/spool/spool_layout.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/gunzip.h"
#include "tests/recorder/simulated_vm.h"
#include "tests/recover/dead_process.h"

namespace rec::test {
namespace {

using namespace jrec;
using ::test::Said;
using ::test::Workplace;

constexpr char kTrace[] = "4bf92f3577b34da6a3ce929d0e0e4736";

std::string span_of(unsigned request) {
  char text[17];
  std::snprintf(text, sizeof text, "%016x", request);
  return text;
}

TextTag third_name;      // of request 3: "work 3"
TextTag attribute_keys;  // of request 2, which has attributes

// As the agent's handler makes it (agent/sampling/context_attributes.h).
Ref<EncodedFact> fact_of(Epoch& epoch, unsigned request) {
  if (request == 3) return epoch.tag_text(third_name, {"work 3", 6});
  if (request != 2) return {};
  const ContextRefs refs{{}, epoch.tag_text(attribute_keys, {"\x05route\x06tenant", 13})};
  return epoch.copy_encoded({.type = kAttributesFact,
                             .fields = reinterpret_cast<const uint8_t*>(&refs),
                             .size = sizeof refs,
                             .more = {"\x01\x03"
                                      "a,b\x00\x05/cart",
                                      12}});
}

// As the agent does. request 0: none. False: there is no room, until the recorder has had its turn.
bool sample_in(SimulatedThread& thread, const SimulatedClass& klass, unsigned request) {
  const EpochPin pin;
  if (!pin) return false;
  const Frame frame{tag_method(*pin, klass, request % kMethodsPerClass), 0, FrameType::kJit, 0};
  Event event{.kind = EventKind::kSample, .ticks = base::now_ticks(), .thread = thread.fact(*pin)};
  event.stack = pin->intern_stack({&frame, 1}, false);
  event.value = sample_value(kStateRunnable, 1);
  Event context;
  if (request != 0) {
    ContextWords words{};
    for (size_t i = 0; i < 16; ++i)
      reinterpret_cast<uint8_t*>(words.data())[i] =
          static_cast<uint8_t>(std::stoul(std::string(kTrace + 2 * i, 2), nullptr, 16));
    words[2] = __builtin_bswap64(request);
    context = context_event(words, fact_of(*pin, request));
  }
  return pin->commit(context, event);
}

constexpr unsigned kTurn = 500;  // samples; then the recorder has its turn, also on a slow machine

// Samples in requests 0, 1, 2, 3, 0, 1, ...; what request n does is in the class' method n.
void sample_requests(unsigned count) {
  SimulatedThread thread(4);
  SimulatedClass klass;
  klass.load(500);
  for (unsigned i = 0, tries = 0; i < count; ++tries) {
    REQUIRE(tries < 2 * count);
    const bool done = sample_in(thread, klass, i % kMethodsPerClass);
    if (done) ++i;
    if (!done || i % kTurn == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

std::string recorded(const TemporaryDirectory& directory, unsigned count) {
  const auto engine = start(test_config(directory));
  sample_requests(count);
  REQUIRE(engine->stop().ok());
  return directory / "recording.jfr";
}

std::string ask(const std::string& file, const std::string& query) {
  SqlOptions options;
  options.words = {file, query};
  options.csv = true;
  const Said said = Workplace().run(run_sql, options);
  CHECK(said.code == 0);
  return said.text;
}

std::string collapsed(const std::string& file, const FilterOptions& filter) {
  CollapsedOptions options;
  options.files = {file};
  options.profile.filter = filter;
  return Workplace().run(run_collapsed, options).text;
}

constexpr char kByMethod[] = "select top, trace, span, count(*) from samples group by 1, 2, 3 order by 1";

std::string by_method(unsigned each) {
  std::string rows = "top,trace,span,count(*)\n";
  for (unsigned i = 0; i < kMethodsPerClass; ++i)
    rows += "sim.p3.C500.m500_" + std::to_string(i) + "," + (i == 0 ? "" : kTrace) + "," + (i == 0 ? "" : span_of(i)) +
            "," + std::to_string(each) + "\n";
  return rows;
}

}  // namespace

TEST_CASE("a sample has the trace and span of its request, and one outside of requests has none") {
  const TemporaryDirectory directory;
  CHECK(ask(recorded(directory, 400), kByMethod) == by_method(100));
}

TEST_CASE("--trace and --span leave the samples of these requests, by name or pattern, and upper case is the same") {
  const TemporaryDirectory directory;
  const std::string file = recorded(directory, 40);
  FilterOptions filter;
  filter.spans = span_of(2);
  CHECK(collapsed(file, filter) == "sim.p3.C500.m500_2 10\n");
  filter.spans = span_of(2) + ",*3";
  CHECK(collapsed(file, filter) == "sim.p3.C500.m500_2 10\nsim.p3.C500.m500_3 10\n");
  filter.traces = "4BF92F*";
  CHECK(collapsed(file, filter) == "sim.p3.C500.m500_2 10\nsim.p3.C500.m500_3 10\n");
  filter.traces = "00*";
  CHECK(collapsed(file, filter).empty());
}

TEST_CASE("a sample has the name of its span, and --span takes names as they are written") {
  const TemporaryDirectory directory;
  const std::string file = recorded(directory, 40);
  CHECK(ask(file, "select span_name, count(*), count(distinct span) from samples group by 1 order by 1") ==
        "span_name,count(*),count(distinct span)\n,30,2\nwork 3,10,1\n");
  FilterOptions filter;
  for (const char* name : {"work 3", "work*", "nothing,w*"}) {
    filter.spans = name;
    CHECK(collapsed(file, filter) == "sim.p3.C500.m500_3 10\n");
  }
  for (const char* name : {"Work 3", "work"}) {
    filter.spans = name;
    CHECK(collapsed(file, filter).empty());
  }
  ConvertOptions options;
  options.files = {file};
  options.format = "otlp";
  options.out = "-";
  const std::string bytes = Workplace().run(run_convert, options).text;
  CHECK(bytes.find("span.name") != std::string::npos);
  CHECK(bytes.find("work 3") != std::string::npos);
}

TEST_CASE("a sample has the attributes of its request, and so have OTLP and pprof") {
  const TemporaryDirectory directory;
  const std::string file = recorded(directory, 40);
  CHECK(ask(file, "select attributes, count(*), min(span) from samples where attributes is not null group by 1") ==
        "attributes,count(*),min(span)\n\"route=/cart,tenant=a\\,b\",10," + span_of(2) + "\n");
  ConvertOptions options;
  options.files = {file};
  options.out = "-";
  for (const char* format : {"otlp", "pprof"}) {
    options.format = format;
    std::string bytes = Workplace().run(run_convert, options).text;
    if (options.format == "pprof") bytes = ::test::gunzip(bytes);
    for (const char* text : {"route", "/cart", "tenant", "a,b"}) CHECK(bytes.find(text) != std::string::npos);
    CHECK(bytes.find("a\\,b") == std::string::npos);
  }
}

TEST_CASE("ids of zeros are none: a name alone is in no request") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  SimulatedThread thread(4);
  TextTag name;
  for (int i = 0; i < 3;) {
    const EpochPin pin;
    if (!pin) continue;
    Event event{.kind = EventKind::kSample, .ticks = base::now_ticks(), .thread = thread.fact(*pin)};
    event.value = sample_value(kStateRunnable, 1);
    const uint64_t span = i == 0 ? 0 : __builtin_bswap64(5);
    if (pin->commit(context_event({0, 0, span}, pin->tag_text(name, {"alone", 5})), event)) ++i;
  }
  REQUIRE(engine->stop().ok());
  const std::string file = directory / "recording.jfr";
  CHECK(ask(file, "select trace, span, span_name, count(*) from samples group by 1, 2, 3 order by 2") ==
        "trace,span,span_name,count(*)\n,,alone,1\n," + span_of(5) + ",alone,2\n");
  FilterOptions filter;
  filter.traces = "*";
  CHECK(collapsed(file, filter).empty());
}

TEST_CASE("OTLP has a link for each request, and the first one says none") {
  const TemporaryDirectory directory;
  ConvertOptions options;
  options.files = {recorded(directory, 40)};
  options.format = "otlp";
  options.out = "-";
  const std::string bytes = Workplace().run(run_convert, options).text;
  std::vector<std::string> spans;
  for (protozero::pbf_reader data(bytes); data.next();) {
    if (data.tag() != 2) {
      data.skip();
      continue;
    }
    for (protozero::pbf_reader table = data.get_message(); table.next();) {
      if (table.tag() != 4) {
        table.skip();
        continue;
      }
      protozero::pbf_reader link = table.get_message();
      REQUIRE(link.next(1));
      CHECK(link.get_bytes().size() == 16);
      REQUIRE(link.next(2));
      spans.push_back(link.get_bytes());
    }
  }
  REQUIRE(spans.size() == kMethodsPerClass);
  for (const std::string& span : spans) {
    REQUIRE(span.size() == 8);
    CHECK(span.substr(0, 7) == std::string(7, '\0'));
  }
  CHECK(spans[0][7] == 0);
}

TEST_CASE("a context and its sample are in one chunk, wherever the chunks are cut") {
  const TemporaryDirectory directory;
  EngineConfig config = test_config(directory);
  config.max_chunk_size = kMinChunkSize;
  config.flush_interval_ns = 1'000'000;
  const auto engine = start(config);
  sample_requests(60'000);
  REQUIRE(engine->stop().ok());
  const std::string file = directory / "recording.jfr";
  CHECK(ask(file, "select count(*) > 1 from chunks") == "count(*) > 1\n1\n");
  CHECK(ask(file, kByMethod) == by_method(15'000));
}

TEST_CASE("damage: what a killed process leaves has its contexts, and one that is damaged costs no sample") {
  const TemporaryDirectory directory;
  EngineConfig config = test_config(directory);
  config.flush_interval_ns = 3600'000'000'000;
  dead_process([&] {
    const auto engine = start(config);
    sample_requests(400);
    die();
  });
  const std::string spools = spool_directory_in(directory), spool = spools + "/epoch-0.spool";
  const auto recovered = [&](const std::string& to) {
    RecoverOptions options;
    options.input = spools;
    options.out = directory / to;
    options.keep = true;
    return Workplace().run(run_recover, options).code;
  };
  CHECK(recovered("whole.jfr") == kDone);
  CHECK(ask(directory / "whole.jfr", kByMethod) == by_method(100));
  CHECK(ask(directory / "whole.jfr", "select span_name, count(*) from samples group by 1 order by 1") ==
        "span_name,count(*)\n,300\nwork 3,100\n");
  CHECK(ask(directory / "whole.jfr", "select count(*) from samples where attributes = 'route=/cart,tenant=a\\,b'") ==
        "count(*)\n100\n");

  // The first context is in the second slot: a byte of its trace.
  std::fstream(spool, std::ios::in | std::ios::out | std::ios::binary)
      .seekp(static_cast<std::streamoff>(kSpoolLogOffset + sizeof(EventSlot) + 20))
      .put('5');
  CHECK(recovered("damaged.jfr") == kDamaged);
  CHECK(ask(directory / "damaged.jfr", "select count(*), count(trace), min(trace) from samples") ==
        "count(*),count(trace),min(trace)\n400,299," + std::string(kTrace) + "\n");
}

}  // namespace rec::test
