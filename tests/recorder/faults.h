// SPDX-License-Identifier: Apache-2.0
// Faults put themselves under the chunk writer: its file calls fail with an errno, or are held until they are let go.
// One at a time. And what tests with faults wait for.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "tests/recorder/chunk_calls.h"
#include "tests/recorder/file_reader.h"
#include "tests/recorder/simulated_vm.h"

namespace rec::test {

class Faults final : public ::test::ChunkCalls {
 public:
  Faults() { ::test::ask(this); }
  ~Faults() {
    let_go();
    ::test::ask(nullptr);
  }

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
  int refuse(const char* name) override {
    if (const int error = look(name); error != 0) return error;
    if (before) before(name);
    return 0;
  }
  void done(const char* name) override {
    if (after) after(name);
  }
  bool syncs() override { return false; }  // a power cut is not among the faults, and disks are slow

  int look(const std::string& name) {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.wait(lock, [this] { return !held_; });
    --waiting_;
    return name_.empty() || name_ == name ? error_ : 0;
  }

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
  // Each sample in a class that the epoch does not know: names and stacks fill the spool, and stay until it is rotated.
  void emit_in_new_classes(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      newest_.load(next_class_++);
      sample(thread_, newest_, 0);
    }
    emitted_ += count;
  }
  uint64_t emitted() const { return emitted_; }

 private:
  SimulatedClass klass_, newest_;
  SimulatedThread thread_{1};
  uint64_t emitted_ = 0;
  uint64_t next_class_ = 1000;
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
    for (const auto& entry : std::filesystem::directory_iterator(directory))
      if (entry.path().filename() != kIdentityFile) names.push_back(entry.path());
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
