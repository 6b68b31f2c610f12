// SPDX-License-Identifier: Apache-2.0
// What recovery does with files and directories: locks that tell the living from the dead, and outputs that appear
// whole or not at all. Ordinary threads only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/new_file.h"
#include "base/result.h"

namespace rec {

using base::Result;
using base::Status;

// Regular files only, no symbolic links; never blocks.
base::Descriptor open_to_read(const std::string& path);

// Takes the lock that the owner of a directory of chunks holds on it. kUsage: the owner lives. kSystem: it is gone, is
// no directory. The lock lasts as long as the descriptor.
Result<base::Descriptor> lock_dead_directory(const std::string& path);

std::vector<std::string> names_in(const std::string& directory, size_t at_most);
// Directory and name: "a/b/c" -> "a/b", "c". "c" -> ".", "c".
std::string parent_of(const std::string& path);
std::string name_of(const std::string& path);
bool same_file(const std::string& a, const std::string& b);
bool is_directory(const std::string& path);  // a link to one does not count

// A recording in the making (base/new_file.h), which lasts through a power cut when commit() returns. After an error
// nothing more is written.
class RecoveredFile {
 public:
  using Replaces = base::NewFile::Replaces;

  static Result<RecoveredFile> create(const std::string& target);

  Status add(int from, uint64_t offset, uint64_t size);  // that much of another file
  Status add(std::span<const uint8_t> bytes);
  Status put(uint64_t at, std::span<const uint8_t> bytes);  // over what is there
  uint64_t size() const { return size_; }

  Status commit(Replaces replaces);

 private:
  explicit RecoveredFile(base::NewFile file) : file_(std::move(file)) {}
  const std::string& path() const { return file_.place().path; }

  base::NewFile file_;
  uint64_t size_ = 0;
};

}  // namespace rec
