// SPDX-License-Identifier: Apache-2.0
// What the recorder does when the process or its surroundings change under it: it is killed, it forks, the clock is
// set, a command runs for each chunk.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "recorder/engine/engine.h"
#include "tests/recorder/faults.h"
#include "tests/recorder/places.h"
#include "tests/recover/spools.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;
using jfr::TypeId;

// Commits samples and dies before or after the n-th call that changes a file once all of them are committed. True: it
// died there.
bool dies_at(const TemporaryDirectory& directory, unsigned call, bool done) {
  const pid_t child = fork();
  if (child == 0) {
    Faults faults;
    EngineConfig config = test_config(directory);
    config.flush_interval_ns = 1'000'000'000'000;
    const auto engine = start(config);
    std::atomic<unsigned> calls{0};
    const auto count = [&](const std::string&) {
      if (++calls == call) _exit(42);
    };
    (done ? faults.after : faults.before) = count;
    Emitter emitter;
    emitter.emit(100);
    for (int i = 0; i < 20; ++i) Engine::losses().count(Loss::kLogContended);
    (void)engine->rotate();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 42;
}

TEST_CASE("fault: wherever between two writes the process dies, no event is lost and none is there twice" *
          doctest::test_suite("slow")) {  // some hundred processes
  unsigned deaths = 0;
  for (const bool done : {false, true}) {
    for (unsigned call = 1; call < 40; ++call) {
      const TemporaryDirectory directory;
      if (!dies_at(directory, call, done)) break;
      CAPTURE(call);
      CAPTURE(done);
      ++deaths;
      const std::vector<std::string> spools = spools_below(directory);
      REQUIRE(spools.size() == 2);
      const std::string into = directory / "recovered";
      fs::create_directory(into);
      uint64_t found = 0;
      const auto recovered = recover_spools(fs::path(spools[0]).parent_path(), into);
      REQUIRE(recovered.ok());
      for (const std::string& chunk : recovered.value().chunks) found += FileReader::read(chunk).samples.size();
      for (const std::string& chunk : files_in(directory / "repository"))
        if (chunk.ends_with(".jfr")) found += FileReader::read(chunk).samples.size();
      CHECK(found == 100);
    }
  }
  CHECK(deaths > 10);
}

std::atomic<int64_t> clock_offset_ns{0};
int64_t shifted_clock() { return base::now_unix_ns() + clock_offset_ns; }

TEST_CASE("fault: a wall clock that is set is told, and the next chunk has the right time") {
  constexpr int64_t kHourNs = 3'600'000'000'000;
  for (const int64_t offset : {kHourNs, -kHourNs}) {
    CAPTURE(offset);
    const TemporaryDirectory directory;
    EngineConfig config = test_config(directory);
    clock_offset_ns = 0;
    config.unix_ns = shifted_clock;
    const auto engine = start(config);
    Emitter emitter;
    emitter.emit(100);
    clock_offset_ns = offset;
    REQUIRE(comes([&] { return engine->status().chunks == 2; }));
    emitter.emit(100);
    REQUIRE(engine->rotate().ok());
    const std::vector<std::string> chunks = files_in(directory / "repository");
    const ReadFile first = FileReader::read(chunks.at(0));
    CHECK(first.count(TypeId::kRecClockJump) == 1);
    CHECK(FileReader::read(chunks.at(1)).count(TypeId::kRecClockJump) == 0);
    CHECK(chunks.at(1) > chunks.at(0));
    REQUIRE(engine->stop().ok());
    check_nothing_lost(directory / "recording.jfr", emitter);
    CHECK(FileReader::read(directory / "recording.jfr").chunks == 3);
  }
}

size_t descriptors_below(const std::string& part) {
  size_t count = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd"))
    count += fs::read_symlink(entry.path(), ignored).string().find(part) != std::string::npos;
  return count;
}

TEST_CASE("fault: a forked child writes nothing, and keeps no descriptor and no lock of the recording") {
  const TemporaryDirectory directory;
  auto engine = start(test_config(directory));
  Emitter emitter;
  emitter.emit(100);
  CHECK(descriptors_below(directory / "") >= 4);
  const pid_t child = fork();
  if (child == 0) {
    Engine::after_fork_in_child();
    int faults = EpochPin() ? 1 : 0;
    emitter.emit(10);
    faults |= descriptors_below(directory / "") != 0 ? 2 : 0;
    faults |= engine->stop().ok() || engine->dump(directory / "child.jfr").ok() ? 4 : 0;
    faults |= engine->finished() ? 0 : 8;
    engine.reset();
    _exit(faults);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  emitter.emit(100);
  REQUIRE(engine->stop().ok());
  check_nothing_lost(directory / "recording.jfr", emitter);
  CHECK_FALSE(fs::exists(directory / "child.jfr"));
}

TEST_CASE("fault: the user's command gets each finished chunk, and none is taken away under it") {
  const TemporaryDirectory directory;
  EngineConfig config = test_config(directory);
  const std::string copies = directory / "copies";
  fs::create_directory(copies);
  config.on_chunk = "sleep 0.2; cp -t " + copies;
  const auto engine = start(config);
  Emitter emitter;
  for (int i = 0; i < 3; ++i) {
    emitter.emit(100);
    REQUIRE(engine->rotate().ok());
  }
  REQUIRE(engine->stop().ok());
  uint64_t copied = 0;
  for (const std::string& chunk : files_in(copies)) copied += FileReader::read(chunk).samples.size();
  CHECK(files_in(copies).size() == 4);
  CHECK(copied == emitter.emitted());
  check_nothing_lost(directory / "recording.jfr", emitter);
  CHECK_FALSE(fs::exists(directory / "repository"));
}

// Says its lines into a file, and whether what needs no name in the directory went on.
[[noreturn]] void give_up_root(const TemporaryDirectory& directory, bool rotates) {
  std::ofstream said(directory / "said");
  EngineConfig config = test_config(directory);
  config.on_chunk = "test -r";
  const auto engine = start(config);
  Emitter emitter;
  emitter.emit(100);
  bool goes_on = engine->write_out().ok() && setuid(kAnotherUser) == 0;
  emitter.emit(100);
  goes_on = goes_on && engine->write_out().ok();
  if (rotates) goes_on = goes_on && !engine->rotate().ok();
  emitter.emit(rotates ? 100 : 0);
  goes_on = goes_on && !engine->stop().ok();
  for (const std::string& line : lines_said()) said << line << '\n';
  said.close();
  _exit(goes_on ? 0 : 1);
}

TEST_CASE("fault: a process that gives up root goes on in its open chunk, and the lines say how root gets the rest" *
          doctest::skip(geteuid() != 0)) {
  for (const bool rotates : {false, true}) {
    CAPTURE(rotates);
    const TemporaryDirectory directory;
    const pid_t child = fork();
    if (child == 0) give_up_root(directory, rotates);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
    const std::string said = read_file(directory / "said");
    CAPTURE(said);
    CHECK(has(said, "has become user 65534, and user 0 gets the recording by 'jrec recover " +
                        (directory / "repository") + "'"));
    CHECK(has(said, "events wait in memory") == rotates);
    CHECK(has(said, "onchunk failed with exit code 1"));
    CHECK(has(said, "the recording's chunks are in " + (directory / "repository")));
    const std::vector<std::string> spools = spools_below(directory);
    REQUIRE_FALSE(spools.empty());
    const auto rest = recover_spools(fs::path(spools[0]).parent_path(), directory / "repository");
    REQUIRE(rest.ok());
    uint64_t found = 0;
    for (const std::string& chunk : files_in(directory / "repository")) found += FileReader::read(chunk).samples.size();
    CHECK(found == (rotates ? 300 : 200));
  }
}

uint64_t faults_so_far() {
  static std::atomic<uint64_t> faults{1000};
  return faults += 7;
}

TEST_CASE("loads that faulted are counted from the start of the recording on") {
  const TemporaryDirectory directory;
  EngineConfig config = test_config(directory);
  config.faulted_loads = faults_so_far;
  const auto engine = start(config);
  REQUIRE(engine->stop().ok());
  const uint64_t counted = FileReader::read(directory / "recording.jfr").counters.at("faultedLoads");
  CHECK(counted > 0);
  CHECK(counted % 7 == 0);
  CHECK(counted < 1000);
}

}  // namespace
}  // namespace rec::test
