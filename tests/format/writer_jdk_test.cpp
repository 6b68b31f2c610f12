// SPDX-License-Identifier: Apache-2.0
// The JDK's own tools read what we write. Skipped where no JDK is installed.
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "format/writer/chunk_file.h"
#include "tests/format/writer_disk.h"
#include "tests/format/writer_sample.h"

namespace {

using scratch::Disk;

std::vector<std::string> jfr_tools() {
  std::vector<std::string> tools;
  std::error_code ignored;
  for (const auto& jdk : std::filesystem::directory_iterator("/usr/lib/jvm", ignored)) {
    const auto tool = jdk.path() / "bin/jfr";
    if (!jdk.is_symlink(ignored) && std::filesystem::exists(tool, ignored)) tools.push_back(tool);
  }
  return tools;
}

struct Run {
  int status;
  std::string output;
};
Run run(const std::string& command) {
  Run result = {};
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (const size_t got = fread(buffer, 1, sizeof buffer, pipe)) result.output.append(buffer, got);
  result.status = ::pclose(pipe);
  return result;
}

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// Two closed chunks and one that is still open, with samples 1 to 9.
std::string write_recording(const Disk& disk) {
  const std::string recording = disk.path("all.jfr");
  std::ofstream out(recording, std::ios::binary);
  for (uint64_t i = 0; i < 3; ++i) {
    const std::string name = "chunk" + std::to_string(i) + ".jfr";
    const int64_t start = sample::kStart + static_cast<int64_t>(i) * 10'000'000'000;
    auto chunk = jfr::ChunkFile::create(disk.directory(), name, 1 << 20,
                                        {1'700'000'000'000'000'000 + start - sample::kStart, start});
    REQUIRE(chunk.ok());
    for (uint64_t id = 3 * i + 1; id <= 3 * i + 3; ++id) {
      jfr::CheckpointBuilder constants;
      jfr::ByteSink events;
      sample::constants(constants, id);
      sample::event(events, id, start + static_cast<int64_t>(id));
      REQUIRE(chunk->append(constants, events.bytes(), start + 1'000'000'000).ok());
    }
    if (i < 2) REQUIRE(chunk->close(start + 2'000'000'000, false).ok());
    const auto bytes = Disk::read(disk.path(name));
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  return recording;
}

}  // namespace

TEST_CASE("jvm: the JDK's jfr prints every sample with its thread and frame, also from a chunk that is still open") {
  const std::vector<std::string> tools = jfr_tools();
  if (tools.empty()) MESSAGE("skipped: no jfr tool under /usr/lib/jvm");
  Disk disk;
  const std::string recording = write_recording(disk);
  for (const std::string& tool : tools) {
    CAPTURE(tool);
    const Run print = run(tool + " -J-esa print --events jdk.ExecutionSample " + recording);
    CHECK(print.status == 0);
    CHECK(count(print.output, "jdk.ExecutionSample {") == 9);
    for (int id = 1; id <= 9; ++id) {
      CHECK(count(print.output, "shop.Cart" + std::to_string(id) + ".run" + std::to_string(id) + "(int) line: 17") ==
            1);
    }
    CHECK(count(print.output, "sampledThread = \"main\" (javaThreadId = 1)") == 9);
    const Run summary = run(tool + " summary " + recording);
    CHECK(summary.status == 0);
    CHECK(count(summary.output, "Chunks: 3") == 1);
  }
}
