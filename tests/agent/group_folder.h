// SPDX-License-Identifier: Apache-2.0
// A folder like /sys/fs/cgroup, with a file like /proc/self/cgroup in it, "self".
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/base/folder.h"

class GroupFolder {
 public:
  GroupFolder& write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
    return *this;
  }
  std::string root() const { return root_.path; }
  std::string self() const { return root_ / "self"; }

 private:
  test::Folder root_;
};
