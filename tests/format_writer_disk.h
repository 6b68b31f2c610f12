// SPDX-License-Identifier: Apache-2.0
// Disk: a scratch directory, and system calls under the writer that fail, stutter or are watched. One at a time.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "format/writer/chunk_file_io.h"

namespace scratch {

class Disk {
 public:
  Disk() : saved_(jfr::file_calls) {
    char pattern[] = "/tmp/rec_chunk_XXXXXX";
    directory_ = ::mkdtemp(pattern);
    disk_ = this;
    jfr::file_calls = {&Disk::pwrite, &Disk::fallocate, &Disk::ftruncate, &Disk::copy, &Disk::rename};
  }
  ~Disk() {
    jfr::file_calls = saved_;
    std::filesystem::remove_all(directory_);
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  const std::string& directory() const { return directory_; }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  static std::vector<uint8_t> read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
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
  template <typename Call>
  static auto step(const std::string& name, Call call) -> decltype(call()) {
    int error = disk_->fail ? disk_->fail(name) : 0;
    if (error == 0 && disk_->interruptions > 0) {
      --disk_->interruptions;
      error = EINTR;
    }
    if (error != 0) {
      errno = error;
      return -1;
    }
    const auto result = call();
    const int saved = errno;
    if (disk_->after_step) disk_->after_step();
    errno = saved;
    return result;
  }
  static ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
    return step("pwrite", [&] { return ::pwrite(fd, bytes, std::min(size, disk_->longest_write), offset); });
  }
  static int fallocate(int fd, int mode, off_t offset, off_t size) {
    return step(mode == 0 ? "fallocate" : "punch", [&] { return ::fallocate(fd, mode, offset, size); });
  }
  static int ftruncate(int fd, off_t size) {
    return step("ftruncate", [&] { return ::ftruncate(fd, size); });
  }
  static ssize_t copy(int from, off_t* from_offset, int to, off_t* to_offset, size_t size, unsigned flags) {
    return step("copy", [&] {
      return ::copy_file_range(from, from_offset, to, to_offset, std::min(size, disk_->longest_write), flags);
    });
  }
  static int rename(int from_directory, const char* from, int to_directory, const char* to, unsigned flags) {
    return step("rename", [&] { return ::renameat2(from_directory, from, to_directory, to, flags); });
  }

  static inline Disk* disk_ = nullptr;
  jfr::FileCalls saved_;
  std::string directory_;
};

}  // namespace scratch
