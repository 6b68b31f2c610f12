// SPDX-License-Identifier: Apache-2.0
// WorkDirectory is a directory beside a file that is to be made, for what goes into it: `.recovering-XXXXXX`, 0700. It
// goes with the object, and with what is in it. A process that is killed leaves it behind. Ordinary threads only.
#pragma once

#include <string>
#include <utility>

#include "base/result.h"

namespace rec {

class WorkDirectory {
 public:
  static base::Result<WorkDirectory> beside(const std::string& target);  // kSystem
  WorkDirectory(WorkDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  WorkDirectory& operator=(WorkDirectory&&) = delete;
  ~WorkDirectory();

  const std::string& path() const { return path_; }

 private:
  explicit WorkDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;  // empty: moved from
};

}  // namespace rec
