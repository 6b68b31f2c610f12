// SPDX-License-Identifier: Apache-2.0
// Repository is the directory of a recording's chunks, one finished JFR file each, so that it can be read as it is.
//
//   2026_11_21_13_45_10-0001.jfr   UTC when the chunk began, and a number: names grow in lexical order
//
// Mode 0700. Old chunks are removed, whole, when max_size or max_age is passed. Recorder thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/result.h"

namespace rec {

using jfr::Result;
using jfr::Status;

class Repository {
 public:
  Repository(std::string directory, uint64_t max_size, int64_t max_age_ns)
      : directory_(std::move(directory)), max_size_(max_size), max_age_ns_(max_age_ns) {}

  // Makes the directory if it is missing, and refuses one that is not ours alone to write.
  Status prepare();
  const std::string& directory() const { return directory_; }
  std::string next_name(int64_t unix_ns);
  // A finished chunk; drops old ones as the limits say.
  void add(const std::string& path, int64_t end_unix_ns);
  const std::vector<std::string>& chunks() const { return paths_; }
  void remove();  // the chunks and the directory, if nothing else is in it

 private:
  struct Chunk {
    uint64_t size;
    int64_t end_unix_ns;
  };
  void drop_old(int64_t now_unix_ns);
  void drop_oldest();

  std::string directory_;
  uint64_t max_size_;
  int64_t max_age_ns_;
  uint64_t total_size_ = 0;
  uint64_t number_ = 0;
  int64_t last_name_ns_ = 0;
  std::vector<std::string> paths_;  // oldest first, beside chunks_
  std::vector<Chunk> chunks_;
};

}  // namespace rec
