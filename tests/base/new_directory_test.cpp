// SPDX-License-Identifier: Apache-2.0
#include "base/new_directory.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "tests/base/folder.h"
#include "tests/recorder/places.h"

TEST_CASE("directories: those that are made are their owner's alone, whatever the umask") {
  const test::Folder folder;
  const mode_t before = ::umask(0);
  const bool made = base::make_directories(folder / "a/b/c").ok();
  const bool again = base::make_directories(folder / "a/b/c/").ok();
  ::umask(before);
  CHECK(made);
  CHECK(again);
  CHECK(rec::test::mode_of(folder / "a") == 0700);
  CHECK(rec::test::mode_of(folder / "a/b/c") == 0700);
}

TEST_CASE("directories: what is there keeps its mode, and a file in the way is an error") {
  const test::Folder folder;
  std::filesystem::create_directory(folder / "open");
  ::chmod((folder / "open").c_str(), 0755);
  CHECK(base::make_directories(folder / "open/below").ok());
  CHECK(rec::test::mode_of(folder / "open") == 0755);
  rec::test::write_file(folder / "file", "x");
  const base::Status in_the_way = base::make_directories(folder / "file/below");
  REQUIRE_FALSE(in_the_way.ok());
  CHECK(in_the_way.error().errno_value == EEXIST);
  CHECK(base::make_directories(folder / "file").error().errno_value == EEXIST);
}
