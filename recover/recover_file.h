// SPDX-License-Identifier: Apache-2.0
// What recovery does with files and directories: locks that tell the living from the dead, and outputs that appear
// whole or not at all. Ordinary threads only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/descriptor.h"
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

// A file in the making: 0600, under a temporary name beside the target, synced and renamed by commit(). Gone if it is
// not committed. After an error nothing more is written.
class RecoveredFile {
 public:
  static Result<RecoveredFile> create(const std::string& target);
  RecoveredFile(RecoveredFile&&) noexcept = default;
  RecoveredFile& operator=(RecoveredFile&&) = delete;
  ~RecoveredFile();

  Status add(int from, uint64_t offset, uint64_t size);  // that much of another file
  Status add(std::span<const uint8_t> bytes);
  Status put(uint64_t at, std::span<const uint8_t> bytes);  // over what is there
  uint64_t size() const { return size_; }

  // What stands at the target: kNothing is replaced, kEmpty an empty file too (JFR leaves these), kAnything whatever.
  // kUsage if there is more than that.
  enum class Replaces { kNothing, kEmpty, kAnything };
  Status commit(Replaces replaces);

 private:
  RecoveredFile() = default;
  std::string target_;
  std::string temporary_;
  base::Descriptor file_;
  uint64_t size_ = 0;
};

}  // namespace rec
