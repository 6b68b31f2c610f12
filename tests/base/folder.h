// SPDX-License-Identifier: Apache-2.0
// Folder is an empty directory for a test, which goes with it.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace test {

struct Folder {
  Folder() { REQUIRE(mkdtemp(path)); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(const std::string& name) const { return std::string(path) + "/" + name; }
  char path[32] = "/tmp/rec-base-XXXXXX";
};

}  // namespace test
