// SPDX-License-Identifier: Apache-2.0
// Processes that die while they record, and what they leave behind.
#pragma once

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "recorder/spool/header_edit.h"
#include "tests/recorder/simulated_vm.h"
#include "tests/recover/spools.h"

namespace rec::test {

inline std::string spool_directory_in(const TemporaryDirectory& directory) {
  for (const auto& entry : std::filesystem::directory_iterator(directory / ""))
    if (entry.path().filename().string().starts_with("rec-")) return entry.path().string();
  return {};
}

inline void die() { kill(getpid(), SIGKILL); }

// A process of its own that does this, and whose last deed is to die() while all that records is alive. Its id.
template <typename Work>
pid_t dead_process(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  return child;
}

// Records `samples` of class 500 in a process of its own, `flushed` of them early enough to reach a chunk, and kills
// it.
inline void record_and_die(const EngineConfig& wished, unsigned flushed, unsigned samples) {
  dead_process([&] {
    EngineConfig config = wished;
    config.flush_interval_ns = 3600'000'000'000;
    const auto engine = start(config);
    SimulatedThread thread(4);
    SimulatedClass klass;
    klass.load(500);
    for (unsigned i = 0; i < samples; ++i) {
      if (i == flushed && flushed > 0) engine->rotate().ok();
      if (!sample(thread, klass, i)) _exit(1);
    }
    die();
  });
}
inline void record_and_die(const TemporaryDirectory& directory, unsigned flushed, unsigned samples) {
  record_and_die(test_config(directory), flushed, samples);
}

// Changes a spool's header as its owner would.
template <typename Change>
void edit_header(const std::string& spool, Change change) {
  alignas(SpoolHeader) std::array<char, sizeof(SpoolHeader)> bytes;
  std::fstream file(spool, std::ios::in | std::ios::out | std::ios::binary);
  file.read(bytes.data(), bytes.size());
  auto& header = *reinterpret_cast<SpoolHeader*>(bytes.data());
  {
    const HeaderEdit edit(header);
    change(header);
  }
  file.seekp(0).write(bytes.data(), bytes.size());
}

}  // namespace rec::test
