// SPDX-License-Identifier: Apache-2.0
// RecoveredFile is a recording in the making (base/new_file.h), which lasts through a power cut when commit() returns.
// After an error nothing more is written. Ordinary threads only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "base/new_file.h"
#include "recover/files.h"

namespace rec {

class RecoveredFile {
 public:
  using Replaces = base::NewFile::Replaces;

  static Result<RecoveredFile> create(const std::string& target);

  Status add(int from, uint64_t offset, uint64_t size);  // that much of another file
  Status add(std::span<const uint8_t> bytes);
  Status put(uint64_t at, std::span<const uint8_t> bytes);  // over what is there
  uint64_t size() const { return size_; }
  int fd() const { return file_.fd(); }
  std::string temporary_path() const { return file_.temporary_path(); }
  Status sync() const { return file_.sync(); }

  Status commit(Replaces replaces);
  // The path that it has (base/new_file.h): its own, or beside what stands there. A file with the very same bytes is what
  // a recovery made that did not live to remove its sources, and stays.
  Result<std::string> commit_beside();

 private:
  bool is_there_already() const;
  explicit RecoveredFile(base::NewFile file) : file_(std::move(file)) {}
  const std::string& path() const { return file_.place().path; }

  base::NewFile file_;
  uint64_t size_ = 0;
};

}  // namespace rec
