// SPDX-License-Identifier: Apache-2.0
#include "recorder/recover.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/spool_layout.h"
#include "tests/recorder_file_reader.h"
#include "tests/simulated_vm.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;

std::string spool_directory_in(const TemporaryDirectory& directory) {
  for (const auto& entry : fs::directory_iterator(directory / ""))
    if (entry.path().filename().string().starts_with("rec-")) return entry.path().string();
  return {};
}

// Records `samples` of class 500 in a process of its own, `flushed` of them early enough to reach a chunk, and kills
// it.
void record_and_die(const TemporaryDirectory& directory, unsigned flushed, unsigned samples) {
  const pid_t child = fork();
  if (child == 0) {
    EngineConfig config = test_config(directory);
    config.flush_interval_ns = 3600'000'000'000;
    const auto engine = start(config);
    SimulatedThread thread(4);
    SimulatedClass klass;
    klass.load(500);
    for (unsigned i = 0; i < samples; ++i) {
      if (i == flushed && flushed > 0) engine->rotate().ok();
      if (!sample(thread, klass, i)) _exit(1);
    }
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
}

TEST_CASE("damage: samples that a killed process had only committed to its spool come back with their names") {
  const TemporaryDirectory directory;
  record_and_die(directory, 3, 10);
  const auto recovered = recover_spools(spool_directory_in(directory), directory / "");
  REQUIRE(recovered.ok());
  CHECK(recovered.value().samples == 7);
  CHECK(recovered.value().repository == directory / "repository");
  REQUIRE(recovered.value().chunks.size() == 1);
  const ReadFile file = FileReader::read(recovered.value().chunks[0]);
  CHECK(file.broken == "");
  CHECK(file.samples.size() == 7);
  CHECK(file.counters.at("samples") == 7);
  for (const ReadSample& one : file.samples) {
    CHECK(one.thread == "sim-4");
    CHECK(one.frames[0].klass == "sim/p3/C500");
  }
  size_t in_chunks = 0;
  for (const auto& entry : fs::directory_iterator(directory / "repository")) {
    const ReadFile chunk = FileReader::read(entry.path().string());
    CHECK(chunk.broken == "");  // the one that was open, too
    in_chunks += chunk.samples.size();
  }
  CHECK(in_chunks == 3);
  remove_spools(spool_directory_in(directory));
  CHECK(spool_directory_in(directory).empty());
}

TEST_CASE("the spool of a process that lives is left alone") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  const auto recovered = recover_spools(spool_directory_in(directory), directory / "");
  REQUIRE_FALSE(recovered.ok());
  CHECK(recovered.error().code == jfr::ErrorCode::kUsage);
}

TEST_CASE("damage: a spool with any word overwritten gives an error or a chunk that can be read") {
  const TemporaryDirectory directory;
  record_and_die(directory, 0, 5);
  const std::string spools = spool_directory_in(directory);
  const std::string path = spools + "/epoch-0.spool";
  uint64_t seed = 1;
  for (unsigned round = 0; round < 300; ++round) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    // The header, the first events, the first facts.
    const uint64_t starts[] = {0, kSpoolLogOffset, kSpoolArenaOffset}, sizes[] = {1024, 256, 2048};
    const auto part = seed >> 60 & 1 ? 2 : (seed >> 33) % 3;
    const uint64_t at = starts[part] + (seed >> 40) % (sizes[part] / 4) * 4;
    const uint32_t value = round % 3 == 0 ? UINT32_MAX : static_cast<uint32_t>(seed >> 20);
    uint32_t before = 0;
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at)).read(reinterpret_cast<char*>(&before), 4);
    file.seekp(static_cast<std::streamoff>(at)).write(reinterpret_cast<const char*>(&value), 4);
    file.flush();
    const auto recovered = recover_spools(spools, directory / "");
    CAPTURE(at);
    CAPTURE(value);
    if (recovered)
      for (const std::string& chunk : recovered.value().chunks) {
        CHECK(FileReader::read(chunk).broken == "");
        fs::remove(chunk);
      }
    file.seekp(static_cast<std::streamoff>(at)).write(reinterpret_cast<const char*>(&before), 4);
  }
}

}  // namespace
}  // namespace rec::test
