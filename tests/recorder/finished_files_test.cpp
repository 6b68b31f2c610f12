// SPDX-License-Identifier: Apache-2.0
// Where a finished recording goes when its name is taken.
#include "recorder/repository/finished_files.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>

#include "tests/recorder/file_reader.h"
#include "tests/recorder/places.h"
#include "tests/recorder/simulated_vm.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;

using Paths = std::vector<std::string>;

void record(Engine& engine, unsigned samples) {
  SimulatedThread thread(4);
  SimulatedClass klass;
  klass.load(500);
  for (unsigned i = 0; i < samples; ++i) REQUIRE(sample(thread, klass, i));
  (void)engine;
}

size_t samples_in(const std::string& path) { return FileReader::read(path).samples.size(); }

TEST_CASE("a number goes before the ending of a file's name, and nowhere into its directory") {
  CHECK(base::numbered("a.b/app.jfr", 2) == "a.b/app-2.jfr");
  CHECK(base::numbered("a.b/app", 13) == "a.b/app-13");
  CHECK(base::numbered("/d/.hidden", 2) == "/d/.hidden-2");
}

TEST_CASE("a finished recording replaces no other: it goes beside it, and one line says so") {
  const TemporaryDirectory directory;
  const std::string wished = directory / "recording.jfr";
  for (unsigned run = 1; run <= 3; ++run) {
    const auto engine = start(test_config(directory));
    record(*engine, run);
    if (run == 3) REQUIRE(engine->rotate().ok());  // of several chunks: put together, not renamed
    REQUIRE(engine->stop().ok());
    const std::string made = run == 1 ? wished : base::numbered(wished, run);
    CHECK(engine->status().recording == made);
    CHECK(log_count() == (run == 1 ? 0 : 1));
    if (run > 1) CHECK((has(log_lines[0], "is there already") && has(log_lines[0], made)));
  }
  CHECK(entries(directory / "") == Paths{"recording-2.jfr", "recording-3.jfr", "recording.jfr"});
  CHECK(samples_in(wished) == 1);
  CHECK(samples_in(directory / "recording-2.jfr") == 2);
  CHECK(samples_in(directory / "recording-3.jfr") == 3);
}

TEST_CASE("a recording takes the place of what it was dumped to itself, and of an empty file") {
  const TemporaryDirectory directory;
  const std::string other = directory / "other.jfr";
  write_file(other, "another recording");
  write_file(directory / "recording.jfr", "");
  const auto engine = start(test_config(directory));
  record(*engine, 1);
  REQUIRE(engine->dump(std::string(directory / "recording.jfr")).ok());
  REQUIRE(engine->dump(other).ok());
  record(*engine, 1);
  REQUIRE(engine->dump(other).ok());
  CHECK(engine->status().recording == directory / "other-2.jfr");
  CHECK(log_count() == 1);
  record(*engine, 1);
  REQUIRE(engine->stop().ok());
  CHECK(entries(directory / "") == Paths{"other-2.jfr", "other.jfr", "recording.jfr"});
  CHECK(read_file(other) == "another recording");
  CHECK(samples_in(directory / "other-2.jfr") == 2);
  CHECK(samples_in(directory / "recording.jfr") == 3);
}

TEST_CASE("a recording that is to overwrite does so, and says nothing") {
  const TemporaryDirectory directory;
  write_file(directory / "recording.jfr", "another recording");
  EngineConfig config = test_config(directory);
  config.overwrite = true;
  const auto engine = start(config);
  record(*engine, 1);
  REQUIRE(engine->stop().ok());
  CHECK(entries(directory / "") == Paths{"recording.jfr"});
  CHECK(samples_in(directory / "recording.jfr") == 1);
  CHECK(log_count() == 0);
}

TEST_CASE("damage: a name at which no recording can stand is refused, and the recording goes on") {
  const TemporaryDirectory directory;
  fs::create_directory(directory / "folder");
  fs::create_symlink("recording.jfr", directory / "link");
  REQUIRE(mkfifo((directory / "fifo").c_str(), 0600) == 0);
  const auto engine = start(test_config(directory));
  const uint64_t chunks = engine->status().chunks;
  for (const std::string& name :
       Paths{"/proc/nope.jfr", "/dev/null", directory / "folder", directory / "link", directory / "fifo"})
    for (const bool overwrite : {false, true}) {
      CAPTURE(name);
      const RecordingTarget target(name, overwrite);
      CHECK_FALSE(engine->may_go_to(target).ok());
      CHECK_FALSE(engine->dump(target).ok());
    }
  CHECK(engine->status().chunks == chunks);
  CHECK(engine->may_go_to({directory / "recording.jfr"}).ok());
  CHECK(engine->may_go_to({directory / "recording.jfr"}, kNoLimitNs, 2).error().code == base::ErrorCode::kUsage);
  record(*engine, 2);
  REQUIRE(engine->stop().ok());
  CHECK(samples_in(directory / "recording.jfr") == 2);
  CHECK(entries(directory / "") == Paths{"fifo", "folder", "link", "recording.jfr"});
  CHECK_FALSE(fs::exists("/dev/null-2"));
  CHECK(log_count() == 0);
}

TEST_CASE("damage: chunks are not put together at a pipe, nor beside it") {
  const TemporaryDirectory directory;
  write_file(directory / "chunk", std::string(100, 'x'));
  REQUIRE(mkfifo((directory / "fifo").c_str(), 0600) == 0);
  for (const Replaces replaces : {Replaces::kEmpty, Replaces::kAnything}) {
    CHECK(has(assemble({directory / "chunk"}, directory / "fifo", replaces).error().what, "is not a plain file"));
    CHECK(has(move_chunk(directory / "chunk", directory / "fifo", replaces).error().what, "is not a plain file"));
  }
  CHECK(entries(directory / "") == Paths{"chunk", "fifo"});
}

TEST_CASE("race: of processes that finish under one name at once each keeps its recording") {
  const TemporaryDirectory directory;
  constexpr unsigned kProcesses = 8;
  std::array<pid_t, kProcesses> children{};
  for (unsigned i = 0; i < kProcesses; ++i) {
    const std::string chunk = directory / ("chunk" + std::to_string(i));
    write_file(chunk, std::string(100 + i, 'x'));
    children[i] = fork();
    if (children[i] != 0) continue;
    const bool moves = i % 2 == 0;
    const std::string name = directory / "r.jfr";
    const bool ok =
        moves ? move_chunk(chunk, name, Replaces::kEmpty).ok() : assemble({chunk}, name, Replaces::kEmpty).ok();
    if (!moves) fs::remove(chunk);
    _exit(ok ? 0 : 1);
  }
  int status = 0;
  for (const pid_t child : children) CHECK((waitpid(child, &status, 0) == child && status == 0));
  std::vector<uint64_t> sizes;
  for (const std::string& name : entries(directory / "")) sizes.push_back(fs::file_size(directory / name));
  std::sort(sizes.begin(), sizes.end());
  REQUIRE(sizes.size() == kProcesses);
  for (unsigned i = 0; i < kProcesses; ++i) CHECK(sizes[i] == 100 + i);
}

}  // namespace
}  // namespace rec::test
