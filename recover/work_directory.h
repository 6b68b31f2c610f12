// SPDX-License-Identifier: Apache-2.0
// WorkDirectory is a directory beside a file that is to be made, for what goes into it: `.recovering-XXXXXX`, 0700. It
// goes with the object, and with what is in it. It is locked as long as its owner lives; what a killed one has left goes with the next one
// that is made there. Ordinary threads only.
#pragma once

#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace rec {

class WorkDirectory {
 public:
  static base::Result<WorkDirectory> beside(const std::string& target);  // kSystem
  WorkDirectory(WorkDirectory&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  WorkDirectory& operator=(WorkDirectory&&) = delete;
  ~WorkDirectory();

  const std::string& path() const { return path_; }

 private:
  WorkDirectory(std::string path, base::Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  std::string path_;  // empty: moved from
  base::Descriptor lock_;
};

}  // namespace rec
