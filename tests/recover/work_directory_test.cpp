// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "recover/work_directory.h"
#include "tests/jrec/commands.h"

namespace fs = std::filesystem;

TEST_CASE("recover: a work directory that a killed recovery has left goes with the next, one that is in use stays") {
  const ::test::Workplace place;
  const std::string left = place.path(".recovering-abcdef"), target = place.path("app.jfr");
  fs::create_directory(left);
  std::ofstream(left + "/chunk") << "x";
  fs::create_directory(place.path(".recovering"));  // of somebody else, as is a link
  fs::create_directory(place.path("other"));
  fs::create_directory_symlink(place.path("other"), place.path(".recovering-link"));
  const auto used = rec::WorkDirectory::beside(target);
  REQUIRE(used);
  CHECK(!fs::exists(left));
  {
    const auto second = rec::WorkDirectory::beside(target);
    REQUIRE(second);
    CHECK(second->path() != used->path());
    CHECK(fs::exists(used->path()));
  }
  CHECK(fs::exists(place.path("other")));
  CHECK(fs::exists(place.path(".recovering")));
  CHECK(fs::exists(place.path(".recovering-link")));
  CHECK(!rec::WorkDirectory::beside(place.path("none/app.jfr")));
}
