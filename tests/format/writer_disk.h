// SPDX-License-Identifier: Apache-2.0
// Disk: a scratch directory, and system calls on the chunks in it that fail, stutter or are watched. One at a time.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/recorder/chunk_calls.h"
#include "tests/whole_file.h"

namespace scratch {

class Disk final : public ::test::ChunkCalls {
 public:
  Disk() {
    char pattern[] = "/tmp/rec_chunk_XXXXXX";
    directory_ = ::mkdtemp(pattern);
    ::test::ask(this);
  }
  ~Disk() {
    ::test::ask(nullptr);
    std::filesystem::remove_all(directory_);
  }

  const std::string& directory() const { return directory_; }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  static std::vector<uint8_t> read(const std::string& path) {
    const std::string bytes = ::test::whole_file(path);
    return {bytes.begin(), bytes.end()};
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) out.push_back(entry.path().filename());
    std::sort(out.begin(), out.end());
    return out;
  }

  std::function<void()> after_step;                  // after each call that may have changed something
  std::function<int(const std::string& call)> fail;  // errno to fail the call with, 0 to let it pass
  size_t longest_write = ~size_t{0};                 // more is written in several calls
  int interruptions = 0;                             // every call is interrupted first, as long as there are some left

 private:
  int refuse(const char* name) override {
    if (const int error = fail ? fail(name) : 0; error != 0) return error;
    if (interruptions == 0) return 0;
    --interruptions;
    return EINTR;
  }
  void done(const char*) override {
    if (after_step) after_step();
  }
  size_t at_most(size_t bytes) override { return std::min(bytes, longest_write); }

  std::string directory_;
};

}  // namespace scratch
