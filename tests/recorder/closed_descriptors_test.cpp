// SPDX-License-Identifier: Apache-2.0
// The application closes the recorder's descriptors, and has their numbers for files of its own.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <set>

#include "recorder/engine/engine.h"
#include "tests/recorder/faults.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;

std::set<int> open_numbers() {
  std::set<int> numbers;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) numbers.insert(std::stoi(entry.path().filename()));
  return numbers;
}

bool holds_lock(const std::string& directory) {
  const int fd = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool locked = flock(fd, LOCK_EX | LOCK_NB) != 0;
  close(fd);
  return locked;
}

TEST_CASE("fault: an application that closes the recorder's descriptors keeps its own files, and nothing is lost") {
  const TemporaryDirectory directory;
  const std::set<int> before = open_numbers();
  const auto engine = start(test_config(directory));
  Emitter emitter;
  emitter.emit(100);
  REQUIRE(engine->rotate().ok());
  const int other = open((directory / "db.dat").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  REQUIRE(write(other, "hello", 5) == 5);
  std::set<int> taken;
  for (const int number : open_numbers())
    if (!before.contains(number) && number != other && fcntl(number, F_GETFD) >= 0) taken.insert(number);
  CHECK(taken.size() >= 6);  // the chunk, the lock, two spools, two to spare
  for (const int number : taken) REQUIRE(dup3(other, number, O_CLOEXEC) == number);
  emitter.emit(100);
  CHECK(comes([&] { return lines_with("closed the recorder's descriptor") == 1; }));
  CHECK(comes([&] { return holds_lock(directory / "repository"); }));
  for (int i = 0; i < 3; ++i) {
    emitter.emit(100);
    CHECK(engine->rotate().ok());
  }
  REQUIRE(engine->stop().ok());
  for (const int number : taken) {
    CHECK(fcntl(number, F_GETFD) >= 0);
    close(number);
  }
  close(other);
  CHECK(fs::file_size(directory / "db.dat") == 5);
  CHECK(lines_said().size() == 1);
  check_nothing_lost(directory / "recording.jfr", emitter);
}

TEST_CASE("fault: without a descriptor and a name the open chunk is lost, which is said and counted") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  Emitter emitter;
  const uint64_t empty_bytes = engine->status().bytes;
  emitter.emit(100);
  REQUIRE(comes([&] { return engine->status().bytes > empty_bytes + 1000; }));  // they are in the chunk
  const std::string chunk = files_in(directory / "repository").front();
  for (const int number : open_numbers()) {
    std::error_code gone;
    if (fs::read_symlink("/proc/self/fd/" + std::to_string(number), gone) == chunk) close(number);
  }
  fs::remove(chunk);
  REQUIRE(comes([&] { return lines_with("what was in it is lost") == 1; }));
  emitter.emit(100);
  REQUIRE(engine->stop().ok());
  CHECK(FileReader::read(directory / "recording.jfr").samples.size() == 100);
  CHECK(engine->status().lost == 100);
}

}  // namespace
}  // namespace rec::test
