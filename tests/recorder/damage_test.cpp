// SPDX-License-Identifier: Apache-2.0
// Disks that refuse, spools that are full, pins that do not end, copies that fail.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdio.h>

#include <chrono>
#include <functional>
#include <thread>

#include "recorder/repository/assemble.h"
#include "recorder/repository/repository.h"
#include "tests/recorder/file_reader.h"
#include "tests/recorder/simulated_vm.h"
#include "tests/thin.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;

void wait_until(const std::function<bool()>& done) {
  for (int i = 0; i < 1000 && !done(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

// Nobody can make a directory where a file is, not even root.
void block(const std::string& repository) {
  fs::rename(repository, repository + ".aside");
  std::ofstream(repository) << "in the way";
}
// At one instant: where nothing stands, the recorder makes a directory anew.
void unblock(const std::string& repository) {
  const std::string aside = repository + ".aside";
  REQUIRE(renameat2(AT_FDCWD, aside.c_str(), AT_FDCWD, repository.c_str(), RENAME_EXCHANGE) == 0);
  fs::remove(aside);
}

TEST_CASE(
    "damage: a repository that cannot be written gives one line, and what was recorded meanwhile is written "
    "afterwards") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  SimulatedThread thread(1);
  SimulatedClass klass;
  klass.load(300);
  CHECK(sample(thread, klass, 0));
  wait_until([&] { return engine->rotate().ok(); });
  block(directory / "repository");
  CHECK_FALSE(engine->rotate().ok());  // the chunk that is open has lost its place
  for (unsigned i = 0; i < 20; ++i) {
    CHECK(sample(thread, klass, i));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  wait_until([] { return log_count() > 0; });
  CHECK(log_count() == 1);
  unblock(directory / "repository");
  wait_until([&] { return engine->rotate().ok(); });
  CHECK(sample(thread, klass, 1));
  REQUIRE(engine->stop().ok());
  CHECK(log_count() == 2);  // the second: it is over
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  CHECK(file.samples.size() == 22);
  for (const auto& one : file.samples) CHECK(one.frames[0].klass == "sim/p6/C300");
}

// Two million events: a sanitizer takes half a minute, and sees in the first thousand what it will see.
TEST_CASE("damage: a full event log counts each sample it refuses, and what it holds is still written" *
          doctest::skip(::test::kThin != 1)) {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  SimulatedThread thread(1);
  SimulatedClass klass;
  klass.load(301);
  CHECK(sample(thread, klass, 0));
  block(directory / "repository");
  CHECK_FALSE(engine->rotate().ok());
  const uint64_t lost_before = Engine::losses().total(Loss::kLogFull);
  const uint64_t written_before = Engine::losses().total(Note::kSamples);
  uint64_t accepted = 0, refused = 0;
  while (refused < 1000) {
    const EpochPin pin;
    const Frame frame{};
    const auto stack = pin->intern_stack({&frame, 1}, false);
    (pin->commit({.kind = EventKind::kSample, .ticks = base::now_ticks(), .stack = stack}) ? accepted : refused)++;
  }
  CHECK(Engine::losses().total(Loss::kLogFull) - lost_before == refused);
  CHECK(Engine::losses().total(Note::kSamples) - written_before == accepted);
  CHECK(accepted > 1000);
  unblock(directory / "repository");
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  CHECK(file.samples.size() >= accepted);
  CHECK(file.counters.at("logFull") == refused);
  CHECK(file.count(jfr::TypeId::kDataLoss) >= 1);
}

// A quarter of a gigabyte of stacks.
TEST_CASE("damage: a stack for which there is no room is counted, as a lost sample or as another event's stack" *
          doctest::skip(::test::kThin != 1)) {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  block(directory / "repository");
  CHECK_FALSE(engine->rotate().ok());
  const EpochPin pin;
  std::vector<Frame> frames(kMaxFrames);
  const uint64_t samples_lost = Engine::losses().total(Loss::kArenaFull);
  const uint64_t stacks_lost = Engine::losses().total(Note::kStacksLost);
  uint64_t refused = 0;
  for (int in_a_row = 0; in_a_row < 50;) {  // there is no room for who is faster than blocks are taken, either
    if (pin->intern_stack(frames, false, 3)) {
      ++frames[0].bci;
      in_a_row = 0;
      continue;
    }
    ++in_a_row, ++refused;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  CHECK_FALSE(bool(pin->intern_stack(frames, false, 0)));
  CHECK(Engine::losses().total(Loss::kArenaFull) == samples_lost + 3 * refused);
  CHECK(Engine::losses().total(Note::kStacksLost) == stacks_lost + 1);
  unblock(directory / "repository");
}

TEST_CASE("damage: when the recording cannot be put together its chunks stay, and who stopped it is told where") {
  const TemporaryDirectory directory;
  EngineConfig config = test_config(directory);
  const auto engine = start(config);
  fs::create_symlink("elsewhere", config.filename);  // somebody plays with the name
  const base::Status stopped = engine->stop();
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().what.find("the recording is over") != std::string::npos);
  CHECK(stopped.error().what.find("'jrec recover " + config.repository + "'") != std::string::npos);
  REQUIRE(log_count() == 1);
  CHECK(log_lines[0].find(config.repository) != std::string::npos);
  size_t chunks = 0;
  for (const auto& entry : fs::directory_iterator(config.repository)) {
    if (entry.path().extension() != ".jfr") continue;
    chunks++;
    CHECK(FileReader::read(entry.path().string()).broken == "");
  }
  CHECK(chunks == 1);
}

TEST_CASE("damage: a pin that never ends costs its epoch's memory and not the recording") {
  const TemporaryDirectory directory;
  EngineConfig config = test_config(directory);
  config.quiesce_limit_ns = 20'000'000;
  const auto engine = start(config);
  const uint64_t abandoned = Engine::losses().total(Note::kEpochsAbandoned);
  SimulatedThread thread(1);
  SimulatedClass klass;
  klass.load(302);
  CHECK(sample(thread, klass, 0));
  {
    const EpochPin stuck;
    REQUIRE(engine->rotate().ok());
    CHECK(Engine::losses().total(Note::kEpochsAbandoned) == abandoned + 1);
    for (unsigned i = 0; i < 5; ++i) {
      CHECK(sample(thread, klass, i));
      REQUIRE(engine->rotate().ok());
    }
    CHECK(stuck->commit({.kind = EventKind::kSample}));  // too late to be written, yet it harms nobody
  }
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  CHECK(file.samples.size() == 6);
  fs::remove_all(directory / "recording.jfr");
  CHECK(fs::is_empty(directory / ""));
}

TEST_CASE("damage: memory that cannot be read makes an unknown frame and leaves no half fact") {
  const TemporaryDirectory directory;
  EngineConfig config = test_config(directory);
  static std::atomic<bool> readable;
  readable = false;
  config.copy = [](void* to, const void* from, size_t size) { return readable && std::memcpy(to, from, size); };
  const auto engine = start(config);
  SimulatedThread thread(1);
  SimulatedClass klass;
  klass.load(303);
  CHECK(sample(thread, klass, 0));
  {
    const EpochPin pin;
    CHECK_FALSE(bool(pin->find_class(ClassId{303})));
  }
  readable = true;
  CHECK(sample(thread, klass, 0));
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  REQUIRE(file.samples.size() == 2);
  CHECK(file.samples[0].frames[0].method == "unknown");
  CHECK(file.samples[1].frames[0].method == "m303_0");
}

TEST_CASE("old chunks go when the recording is larger or older than asked, the newest stays") {
  const TemporaryDirectory directory;
  const auto add = [&](Repository& repository, int64_t unix_ns, size_t size) {
    const std::string path = repository.directory() + "/" + repository.next_name(unix_ns);
    std::ofstream(path) << std::string(size, 'x');
    repository.add(path, unix_ns);
    return path;
  };
  Repository by_size(directory / "size", 250, 0);
  REQUIRE(by_size.prepare().ok());
  const auto first = add(by_size, 1, 100), second = add(by_size, 2, 100), third = add(by_size, 3, 100);
  CHECK(by_size.chunks() == std::vector<std::string>{second, third});
  CHECK_FALSE(fs::exists(first));
  const auto large = add(by_size, 4, 1000);
  CHECK(by_size.chunks() == std::vector<std::string>{large});

  Repository by_age(directory / "age", 0, 1'000'000'000);
  REQUIRE(by_age.prepare().ok());
  const auto old = add(by_age, 1'000'000'000, 1), young = add(by_age, 2'000'000'000, 1);
  CHECK(by_age.chunks().size() == 2);
  const auto late = add(by_age, 2'500'000'000, 1);
  CHECK(by_age.chunks() == std::vector<std::string>{young, late});
  CHECK_FALSE(fs::exists(old));
}

TEST_CASE("chunk names grow even when the clock is set back") {
  Repository repository("nowhere", 0, 0);
  const std::string first = repository.next_name(1'700'000'000'000'000'000);
  const std::string second = repository.next_name(1'600'000'000'000'000'000);
  const std::string stem = "2023_11_14_22_13_20-" + std::to_string(getpid());
  CHECK(first == stem + "-0001.jfr");
  CHECK(second == stem + "-0002.jfr");
}

TEST_CASE("damage: a repository that is a link is refused") {
  const TemporaryDirectory directory;
  fs::create_directory(directory / "real");
  fs::create_directory_symlink(directory / "real", directory / "link");
  EngineConfig config = test_config(directory);
  config.repository = directory / "link";
  CHECK_FALSE(Engine::start(config, {}).ok());
}

}  // namespace
}  // namespace rec::test
