// SPDX-License-Identifier: Apache-2.0
#include "recorder/engine/engine.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>

#include "tests/recorder/file_reader.h"
#include "tests/recorder/simulated_vm.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;
using jfr::TypeId;

bool is_empty(const std::string& directory) { return fs::is_empty(directory); }

TEST_CASE("a sample comes back with every name, line, module and loader") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  SimulatedClass klass;
  klass.load(101);
  SimulatedThread thread(7);
  CHECK(sample(thread, klass, 2, 3, 9));
  klass.unload();
  REQUIRE(engine->stop().ok());

  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  REQUIRE(file.samples.size() == 1);
  const ReadSample& read = file.samples[0];
  CHECK(read.thread == "sim-7");
  CHECK(read.state == kStateRunnable);
  CHECK(read.weight == 1);
  REQUIRE(read.frames.size() == 3);
  for (unsigned i = 0; i < 3; ++i) {
    const ReadFrame& frame = read.frames[i];
    const unsigned k = (2 + i) % kMethodsPerClass;
    CHECK(frame.klass == "sim/p3/C101");
    CHECK(frame.method == "m101_" + std::to_string(k));
    CHECK(frame.loader == "Loader2 of sim/Loader2");
    CHECK(frame.package == "sim/p3");
    CHECK(frame.module == "sim.module");
    CHECK(frame.line == 1 + k + 3);
    CHECK(frame.bci == 9);
    CHECK(frame.type == 1);
  }
}

TEST_CASE("each chunk says what process, machine and recording it is from") {
  const TemporaryDirectory directory;
  ProcessFacts facts;
  facts.system_properties = {{"a", "1"}, {"b", "2"}};
  facts.settings = {{jfr::TypeId::kExecutionSample, "period", "10 ms"},
                    {jfr::TypeId::kExecutionSample, "enabled", "true"}};
  const auto engine = start(test_config(directory), facts);
  REQUIRE(engine->rotate().ok());
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  CHECK(file.chunks == 2);
  CHECK(file.final_chunks == 1);
  for (const TypeId type :
       {TypeId::kJvmInformation, TypeId::kOsInformation, TypeId::kCpuInformation, TypeId::kActiveRecording})
    CHECK(file.count(type) == 2);
  CHECK(file.count(TypeId::kInitialSystemProperty) == 4);
  CHECK(file.count(TypeId::kActiveSetting) == 4);
  CHECK(file.counters.contains("samples"));
}

TEST_CASE("a change of settings begins a chunk, and what was sampled before is in the one before, by its own period") {
  const TemporaryDirectory directory;
  ProcessFacts facts;
  facts.settings = {{jfr::TypeId::kCpuTimeSample, "period", "10 ms"}};
  EngineConfig config = test_config(directory);
  config.sample_event = SampleEvent::kCpuTimeSample;
  const auto engine = start(config, facts);
  SimulatedClass klass;
  klass.load(102);
  SimulatedThread thread(8);
  CHECK(sample(thread, klass, 0, 1, 0));
  ChunkSettings settings;
  settings.events = {{jfr::TypeId::kCpuTimeSample, "period", "5 ms"}, {jfr::TypeId::kCpuTimeSample, "enabled", "true"}};
  settings.sample_period_ns = 5'000'000;
  REQUIRE(engine->change(settings).ok());
  CHECK(sample(thread, klass, 0, 1, 0));
  REQUIRE(engine->rotate().ok());
  CHECK(sample(thread, klass, 0, 1, 0));
  REQUIRE(engine->stop().ok());
  CHECK(engine->change(settings).error().code == base::ErrorCode::kUsage);
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  CHECK(file.chunks == 3);
  CHECK(file.count(TypeId::kActiveSetting) == 1 + 2 + 2);
  std::vector<uint64_t> periods;
  for (const ReadSample& each : file.samples) periods.push_back(each.weight);
  CHECK(periods == std::vector<uint64_t>{10'000'000, 5'000'000, 5'000'000});
}

TEST_CASE("no chunk begins before the one in front of it, though an event comes that is older") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  SimulatedThread thread(9);
  const int64_t before = base::now_ticks();
  REQUIRE(engine->rotate().ok());
  REQUIRE(engine->rotate().ok());
  {
    const EpochPin pin;
    CHECK(pin->commit({.kind = EventKind::kWallSample,
                       .ticks = before - 2'000,
                       .thread = thread.fact(*pin),
                       .stack = pin->intern_stack({}, false),
                       .other = 1,
                       .value = wall_value(kStateRunnable, 1'000)}));
  }
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  CHECK(file.count(TypeId::kWallClockSample) == 1);
  CHECK(file.starts.size() == 3);
  CHECK(std::is_sorted(file.starts.begin(), file.starts.end()));
}

TEST_CASE("threads, collections and the shutdown are events of their own") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  SimulatedThread parent(1), child(2);
  {
    const EpochPin pin;
    const auto by = parent.fact(*pin), who = child.fact(*pin);
    CHECK(pin->commit({.kind = EventKind::kThreadStart, .ticks = base::now_ticks(), .thread = who, .other = by.unit}));
    CHECK(pin->commit({.kind = EventKind::kGc, .ticks = base::now_ticks(), .extra = 42, .value = 1234}));
    CHECK(pin->commit({.kind = EventKind::kThreadEnd, .ticks = base::now_ticks(), .thread = who}));
    CHECK(pin->commit({.kind = EventKind::kShutdown, .ticks = base::now_ticks(), .thread = by}));
  }
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  std::vector<std::string> told;
  for (const auto& event : file.events)
    if (!event.text.empty()) told.push_back(event.text);
  CHECK(told == std::vector<std::string>{"sim-2 by sim-1", "42 took 1234", "sim-2"});
  CHECK(file.count(TypeId::kShutdown) == 1);
}

TEST_CASE("a CPU time sample stands for as many periods as its weight says") {
  const TemporaryDirectory directory;
  EngineConfig config = test_config(directory);
  config.sample_event = SampleEvent::kCpuTimeSample;
  config.sample_period_ns = 1000;
  const auto engine = start(config);
  SimulatedThread thread(1);
  {
    const EpochPin pin;
    const auto stack = pin->intern_stack({}, true);
    CHECK(pin->commit(
        {.kind = EventKind::kSample, .thread = thread.fact(*pin), .stack = stack, .value = sample_value(5, 3)}));
  }
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  REQUIRE(file.samples.size() == 1);
  CHECK(file.samples[0].weight == 3000);
  CHECK(file.samples[0].truncated);
}

TEST_CASE("nobody gets in before start and after stop, and nothing is left behind") {
  const TemporaryDirectory directory;
  CHECK_FALSE(bool(EpochPin()));
  CHECK(EpochPin().why() == Loss::kNotRecording);
  auto engine = start(test_config(directory));
  CHECK(bool(EpochPin()));
  CHECK_FALSE(Engine::start(test_config(directory), {}).ok());
  REQUIRE(engine->stop().ok());
  CHECK_FALSE(bool(EpochPin()));
  CHECK(engine->rotate().error().code == base::ErrorCode::kUsage);
  CHECK_FALSE(fs::exists(directory / "repository"));
  engine.reset();
  fs::remove(directory / "recording.jfr");
  CHECK(is_empty(directory / ""));
}

TEST_CASE("what is on disk belongs to its user alone, while recording and afterwards") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  for (const auto& entry : fs::recursive_directory_iterator(directory / "")) {
    CAPTURE(entry.path().string());
    CHECK((entry.status().permissions() & (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none);
  }
  REQUIRE(engine->stop().ok());
  CHECK(fs::status(directory / "recording.jfr").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a dump has everything so far and recording goes on") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  SimulatedClass klass;
  klass.load(200);
  SimulatedThread thread(3);
  CHECK(sample(thread, klass, 0));
  REQUIRE(engine->dump(directory / "dump.jfr").ok());
  CHECK(sample(thread, klass, 1));
  REQUIRE(engine->stop().ok());
  const ReadFile dump = FileReader::read(directory / "dump.jfr"), whole = FileReader::read(directory / "recording.jfr");
  CHECK(dump.broken == "");
  CHECK(dump.samples.size() == 1);
  CHECK(dump.final_chunks == 1);
  CHECK(whole.broken == "");
  CHECK(whole.samples.size() == 2);
  CHECK(whole.final_chunks == 1);
}

TEST_CASE("a frame without a method is written as the method unknown") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  SimulatedThread thread(3);
  {
    const EpochPin pin;
    const Frame frames[] = {{{}, 0, FrameType::kNative, Frame::kNoBci}};
    const auto stack = pin->intern_stack(frames, false);
    CHECK(pin->commit({.kind = EventKind::kSample, .thread = thread.fact(*pin), .stack = stack}));
  }
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  REQUIRE(file.samples.size() == 1);
  CHECK(file.samples[0].frames[0].klass == "unknown");
  CHECK(file.samples[0].frames[0].bci == -1);
}

}  // namespace
}  // namespace rec::test
