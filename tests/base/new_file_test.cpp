// SPDX-License-Identifier: Apache-2.0
#include "base/new_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "base/file_io.h"
#include "tests/base/folder.h"
#include "tests/recorder/places.h"

namespace {

using base::NewFile;
using test::Folder;
using Names = std::vector<std::string>;
using rec::test::entries;
using rec::test::mode_of;
using rec::test::read_file;
using rec::test::write_file;
using Replaces = base::NewFile::Replaces;

// What commit() says, or nothing.
std::string make(const std::string& path, const std::string& text, Replaces replaces) {
  base::Result<NewFile> file = NewFile::make(path);
  if (!file) return file.error().what;
  REQUIRE(base::write_all(file->fd(), text.data(), text.size()));
  const base::Status done = file->commit(replaces);
  return done ? "" : done.error().what;
}

}  // namespace

TEST_CASE("a new file stands under its name when it is whole, and not before") {
  const Folder folder;
  base::Result<NewFile> file = NewFile::make(folder / "a");
  REQUIRE(file);
  CHECK(entries(folder.path).size() == 1);
  CHECK(folder / entries(folder.path)[0] == file->temporary_path());
  CHECK(mode_of(file->temporary_path()) == 0600);
  REQUIRE(base::write_all(file->fd(), "12", 2));
  CHECK(file->sync());
  CHECK(file->commit(Replaces::kNothing));
  CHECK(entries(folder.path) == Names{"a"});
  CHECK(read_file(folder / "a") == "12");
}

TEST_CASE("a new file that is not committed leaves nothing, whoever held it") {
  const Folder folder;
  {
    base::Result<NewFile> file = NewFile::make(folder / "a");
    REQUIRE(file);
    const NewFile other = std::move(*file);
    CHECK(entries(folder.path).size() == 1);
  }
  CHECK(entries(folder.path).empty());
}

TEST_CASE("what stands at the name stays, unless it is to be replaced") {
  const Folder folder;
  write_file(folder / "a", "old");
  write_file(folder / "empty", "");
  const std::string there = " is there already, and is not written over";
  CHECK(make(folder / "a", "new", Replaces::kNothing) == (folder / "a") + there);
  CHECK(make(folder / "a", "new", Replaces::kEmpty) == (folder / "a") + there);
  CHECK(make(folder / "empty", "new", Replaces::kNothing) == (folder / "empty") + there);
  CHECK(read_file(folder / "a") == "old");
  CHECK(make(folder / "empty", "new", Replaces::kEmpty) == "");
  CHECK(make(folder / "a", "new", Replaces::kAnything) == "");
  CHECK(read_file(folder / "empty") == "new");
  CHECK(read_file(folder / "a") == "new");
  CHECK(entries(folder.path) == Names{"a", "empty"});
}

TEST_CASE("damage: a link at the name is in the way, or replaced, and never followed") {
  const Folder folder;
  write_file(folder / "victim", "old");
  REQUIRE(symlink((folder / "victim").c_str(), (folder / "a").c_str()) == 0);
  CHECK(make(folder / "a", "new", Replaces::kEmpty) != "");
  CHECK(make(folder / "a", "new", Replaces::kAnything) == "");
  CHECK(read_file(folder / "victim") == "old");
  CHECK(read_file(folder / "a") == "new");
}

TEST_CASE("damage: a pipe or a device at the name stays, whatever was to be replaced") {
  const Folder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(make(folder / "pipe", "new", Replaces::kAnything) != "");
  struct stat st {};
  REQUIRE(lstat((folder / "pipe").c_str(), &st) == 0);
  CHECK(S_ISFIFO(st.st_mode));
  REQUIRE(symlink("/dev/null", (folder / "link").c_str()) == 0);
  CHECK(make(folder / "link", "new", Replaces::kAnything) != "");
}

TEST_CASE("damage: a file that cannot be made says which and why") {
  const Folder folder;
  CHECK(make(folder / "none/a", "new", Replaces::kAnything) ==
        "cannot make " + (folder / "none/a") + ": No such file or directory");
  REQUIRE(mkdir((folder / "a").c_str(), 0700) == 0);
  CHECK(make(folder / "a", "new", Replaces::kAnything) == "cannot make " + (folder / "a") + ": Is a directory");
  CHECK(entries(folder.path) == Names{"a"});
}

TEST_CASE("a file without a directory in its name is made in the working directory") {
  const base::Result<NewFile> file = NewFile::make("rec-base-new-file");
  REQUIRE(file);
  CHECK(file->place().name == "rec-base-new-file");
  CHECK(access(file->temporary_path().c_str(), F_OK) == 0);
}
