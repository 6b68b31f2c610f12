// SPDX-License-Identifier: Apache-2.0
// Faults put themselves under the chunk writer: its file calls fail with an errno, or are held until they are let go.
// One at a time. And what tests with faults wait for.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "format/writer/chunk_file_io.h"
#include "tests/recorder_file_reader.h"
#include "tests/simulated_vm.h"

namespace rec::test {

class Faults {
 public:
  Faults() : saved_(jfr::file_calls) {
    here_ = this;
    jfr::file_calls = {&pwrite, &fallocate, &ftruncate, &copy, &rename, &fdatasync};
  }
  ~Faults() {
    let_go();
    jfr::file_calls = saved_;
    here_ = nullptr;
  }
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;

  // From now on calls of that name fail; "" is every call; 0 is the end of it.
  void fail(int error, const std::string& name = "") {
    const std::lock_guard lock(mutex_);
    error_ = error;
    name_ = name;
  }
  void hold() {
    const std::lock_guard lock(mutex_);
    held_ = true;
  }
  void let_go() {
    const std::lock_guard lock(mutex_);
    held_ = false;
    changed_.notify_all();
  }
  bool somebody_waits() {
    const std::lock_guard lock(mutex_);
    return waiting_ > 0;
  }
  // Before each call that changes a file, in the thread that makes it.
  std::function<void(const std::string&name)> before, after;

 private:
  template <typename Call>
  static auto step(const char* name, Call call) -> decltype(call()) {
    if (const int error = here_->look(name); error != 0) {
      errno = error;
      return -1;
    }
    if (here_->before) here_->before(name);
    const auto result = call();
    if (here_->after) here_->after(name);
    return result;
  }
  int look(const std::string& name) {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.wait(lock, [this] { return !held_; });
    --waiting_;
    return name_.empty() || name_ == name ? error_ : 0;
  }
  static ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
    return step("pwrite", [&] { return ::pwrite(fd, bytes, size, offset); });
  }
  static int fallocate(int fd, int mode, off_t offset, off_t size) {
    return step(mode == 0 ? "fallocate" : "punch", [&] { return ::fallocate(fd, mode, offset, size); });
  }
  static int ftruncate(int fd, off_t size) {
    return step("ftruncate", [&] { return ::ftruncate(fd, size); });
  }
  static ssize_t copy(int from, off_t* from_offset, int to, off_t* to_offset, size_t size, unsigned flags) {
    return step("copy", [&] { return ::copy_file_range(from, from_offset, to, to_offset, size, flags); });
  }
  static int rename(int from_directory, const char* from, int to_directory, const char* to, unsigned flags) {
    return step("rename", [&] { return ::renameat2(from_directory, from, to_directory, to, flags); });
  }
  // Not done: a power cut is not among the faults, and disks are slow.
  static int fdatasync(int) {
    return step("fdatasync", [] { return 0; });
  }

  static inline Faults* here_ = nullptr;
  jfr::FileCalls saved_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int error_ = 0;
  std::string name_;
  bool held_ = false;
  unsigned waiting_ = 0;
};

// Waits for another thread, long enough for the slowest machine. False: it never came.
inline bool comes(const std::function<bool()>& condition) {
  for (int tries = 0; tries < 20'000; ++tries) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

inline std::vector<std::string> lines_said() {
  const std::lock_guard lock(log_mutex);
  return log_lines;
}

inline size_t lines_with(const std::string& part) {
  size_t count = 0;
  for (const std::string& line : lines_said()) count += line.find(part) != std::string::npos;
  return count;
}

// Commits samples of one class by one thread, and knows how many there were.
class Emitter {
 public:
  Emitter() { klass_.load(101); }
  void emit(unsigned count) {
    for (unsigned i = 0; i < count; ++i) sample(thread_, klass_, i % kMethodsPerClass);
    emitted_ += count;
  }
  uint64_t emitted() const { return emitted_; }

 private:
  SimulatedClass klass_;
  SimulatedThread thread_{1};
  uint64_t emitted_ = 0;
};

inline uint64_t lost_in(const ReadFile& file) {
  uint64_t lost = 0;
  for (size_t i = 0; i < kLossCount; ++i)
    if (const auto found = file.counters.find(loss_name(static_cast<Loss>(i))); found != file.counters.end())
      lost += found->second;
  return lost;
}

// Every sample that was emitted is in the recording, or in its counters under a cause.
inline void check_exact(const std::string& path, const Emitter& emitter) {
  const ReadFile file = FileReader::read(path);
  CHECK(file.broken == "");
  CHECK(file.samples.size() == file.counters.at("samples"));
  CHECK(file.samples.size() + lost_in(file) == emitter.emitted());
}

inline void check_nothing_lost(const std::string& path, const Emitter& emitter) {
  check_exact(path, emitter);
  CHECK(FileReader::read(path).samples.size() == emitter.emitted());
}

inline std::vector<std::string> files_in(const std::string& directory) {
  std::vector<std::string> names;
  if (std::filesystem::exists(directory))
    for (const auto& entry : std::filesystem::directory_iterator(directory)) names.push_back(entry.path());
  std::sort(names.begin(), names.end());
  return names;
}

inline std::vector<std::string> spools_below(const TemporaryDirectory& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory / ""))
    if (entry.path().extension() == ".spool") names.push_back(entry.path());
  return names;
}

}  // namespace rec::test
