// SPDX-License-Identifier: Apache-2.0
// Several recordings of one engine: each has the chunks of its time in a directory of its own.
#include "recorder/repository/recordings.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "recover/dead_repository.h"
#include "tests/recorder/file_reader.h"
#include "tests/recorder/simulated_vm.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;

RecordingConfig beside(const TemporaryDirectory& directory, uint64_t id, const std::string& name) {
  RecordingConfig config;
  config.id = id;
  config.name = name;
  config.filename = directory / (name + ".jfr");
  config.repository = config.filename + ".chunks";
  return config;
}

class Samples {
 public:
  Samples() { klass_.load(77); }
  void take(int count) {
    for (int i = 0; i < count; ++i) CHECK(sample(thread_, klass_, 0, 1, 0));
  }

 private:
  SimulatedClass klass_;
  SimulatedThread thread_{5};
};

size_t samples_of(const std::string& file) {
  const ReadFile read = FileReader::read(file);
  CHECK(read.broken == "");
  CHECK(read.final_chunks == 1);
  return read.samples.size();
}

size_t chunks_in(const std::string& directory) {
  size_t chunks = 0;
  for (const auto& entry : fs::directory_iterator(directory)) chunks += entry.path().extension() == ".jfr";
  return chunks;
}

}  // namespace

TEST_CASE("a recording beside another has what was recorded from its begin to its end") {
  const TemporaryDirectory directory;
  Samples samples;
  const auto engine = start(test_config(directory));
  samples.take(3);
  REQUIRE(engine->begin(beside(directory, 2, "b")).ok());
  samples.take(4);
  CHECK(engine->dump({directory / "dumped.jfr"}, kNoLimitNs, 2).ok());
  CHECK(engine->status(2).recording == directory / "dumped.jfr");
  samples.take(1);
  CHECK(engine->status(1).samples == 8);
  CHECK(engine->status(2).samples == 5);
  EngineStatus ended;
  REQUIRE(engine->end(2, {}, &ended).ok());
  CHECK(ended.samples == 5);
  CHECK(ended.recording == directory / "b.jfr");
  samples.take(2);
  CHECK(engine->end(2, {}, &ended).error().code == base::ErrorCode::kUsage);
  CHECK(engine->end(1, {}, &ended).error().code == base::ErrorCode::kUsage);  // the last one stops with the engine
  REQUIRE(engine->stop().ok());
  CHECK(samples_of(directory / "dumped.jfr") == 4);
  CHECK(samples_of(directory / "b.jfr") == 5);
  CHECK(samples_of(directory / "recording.jfr") == 10);
  CHECK_FALSE(fs::exists(directory / "b.jfr.chunks"));
}

TEST_CASE("the recording that an engine was started with ends, and the others go on") {
  const TemporaryDirectory directory;
  Samples samples;
  const auto engine = start(test_config(directory));
  const std::string first_home = engine->status().repository;
  samples.take(1);
  REQUIRE(engine->begin(beside(directory, 2, "b")).ok());
  REQUIRE(engine->begin(beside(directory, 3, "c")).ok());
  samples.take(2);
  const Identity before = read_identity(first_home);
  EngineStatus ended;
  REQUIRE(engine->end(kFirstRecording, {}, &ended).ok());
  CHECK(samples_of(directory / "recording.jfr") == 3);
  CHECK_FALSE(fs::exists(first_home));
  CHECK(read_identity(directory / "b.jfr.chunks").id == before.id);  // by which the spools are found
  CHECK(read_identity(directory / "c.jfr.chunks").id != before.id);
  samples.take(3);
  REQUIRE(engine->rotate().ok());
  samples.take(4);
  REQUIRE(engine->end(3, {directory / "elsewhere.jfr"}, &ended).ok());
  CHECK(samples_of(directory / "elsewhere.jfr") == 9);
  samples.take(5);
  REQUIRE(engine->stop().ok());
  CHECK(samples_of(directory / "b.jfr") == 14);
}

TEST_CASE("all recordings are whole when the engine stops") {
  const TemporaryDirectory directory;
  Samples samples;
  const auto engine = start(test_config(directory));
  REQUIRE(engine->begin(beside(directory, 2, "b")).ok());
  samples.take(2);
  REQUIRE(engine->stop().ok());
  CHECK(samples_of(directory / "b.jfr") == 2);
  CHECK(samples_of(directory / "recording.jfr") == 2);
  for (const char* name : {"b.jfr", "recording.jfr"}) {
    struct stat st {};
    REQUIRE(lstat((directory / name).c_str(), &st) == 0);
    CHECK(st.st_nlink == 1);  // nobody changes two files by one
  }
}

TEST_CASE("each recording keeps as much as its own limits say") {
  const TemporaryDirectory directory;
  Samples samples;
  const auto engine = start(test_config(directory));
  RecordingConfig small = beside(directory, 2, "small");
  small.max_size = 1;  // nothing but the newest chunk
  REQUIRE(engine->begin(small).ok());
  for (int i = 0; i < 4; ++i) {
    samples.take(1);
    REQUIRE(engine->rotate().ok());
  }
  CHECK(chunks_in(small.repository) == 2);  // and the open one
  CHECK(engine->status(2).chunks == 2);
  CHECK(engine->status(1).chunks == 6);
  EngineStatus ended;
  REQUIRE(engine->end(2, {}, &ended).ok());
  REQUIRE(engine->stop().ok());
  CHECK(samples_of(directory / "recording.jfr") == 4);
}

TEST_CASE("the open chunk is in the directory of each recording, so that each can be recovered") {
  const TemporaryDirectory directory;
  Samples samples;
  const auto engine = start(test_config(directory));
  REQUIRE(engine->begin(beside(directory, 2, "b")).ok());
  samples.take(7);
  engine->flush();
  const std::string chunks = directory / "b.jfr.chunks";
  size_t flushed = 0;
  for (int i = 0; i < 5000 && flushed < 7; ++i) {
    usleep(1000);
    for (const auto& entry : fs::directory_iterator(chunks))
      if (entry.path().extension() == ".jfr") flushed = FileReader::read(entry.path()).samples.size();
  }
  CHECK(flushed == 7);
  REQUIRE(engine->stop().ok());
  CHECK_FALSE(fs::exists(chunks));
}

TEST_CASE("a recording that cannot begin is refused, and nothing is left of it") {
  const TemporaryDirectory directory;
  Samples samples;
  const auto engine = start(test_config(directory));
  RecordingConfig wrong = beside(directory, 2, "b");
  fs::create_directory(directory / "taken");
  wrong.filename = directory / "taken";
  CHECK_FALSE(engine->begin(wrong).ok());
  CHECK_FALSE(fs::exists(wrong.repository));
  samples.take(1);
  REQUIRE(engine->stop().ok());
  CHECK(samples_of(directory / "recording.jfr") == 1);
}

}  // namespace rec::test
