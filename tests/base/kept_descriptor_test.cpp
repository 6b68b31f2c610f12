// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/kept_descriptor.h"
#include "base/open_files.h"
#include "tests/base/folder.h"

namespace {

using base::KeptDescriptor;

int make_file(const std::string& path) { return open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600); }
bool is_open_number(int fd) { return fcntl(fd, F_GETFD) >= 0; }

// Somebody closes a descriptor, and has its number for a file of his own.
int take_number(int number, const std::string& path) {
  const int other = make_file(path);
  REQUIRE(dup3(other, number, O_CLOEXEC) == number);
  close(other);
  return number;
}

TEST_CASE("a descriptor that is kept is closed with its owner") {
  const test::Folder folder;
  int number = -1;
  {
    const KeptDescriptor kept(make_file(folder / "ours"));
    number = kept.fd();
    CHECK(kept.is_own());
  }
  CHECK_FALSE(is_open_number(number));
}

TEST_CASE("a number that somebody has got for a file of his own is not ours, and is never closed") {
  const test::Folder folder;
  int number = -1;
  {
    const KeptDescriptor kept(make_file(folder / "ours"));
    number = take_number(kept.fd(), folder / "theirs");
    CHECK_FALSE(kept.is_own());
  }
  CHECK(is_open_number(number));
  close(number);
}

TEST_CASE("what somebody closed is opened again, if it is the same file") {
  const test::Folder folder;
  KeptDescriptor kept(make_file(folder / "ours"));
  const int number = take_number(kept.fd(), folder / "theirs");
  CHECK_FALSE(kept.open_again(folder / "theirs", O_RDWR));
  CHECK_FALSE(kept.is_own());
  CHECK(kept.open_again(folder / "ours", O_RDWR));
  CHECK(kept.is_own());
  CHECK(kept.is_at(folder / "ours"));
  CHECK(is_open_number(number));
  close(number);
}

// As another user, where root may look everywhere.
TEST_CASE("damage: a file that may not be looked at any more counts as there, one that is gone does not") {
  const test::Folder folder;
  REQUIRE(mkdir((folder / "shut").c_str(), 0700) == 0);
  const KeptDescriptor kept(make_file(folder / "shut/ours"));
  const KeptDescriptor gone(make_file(folder / "gone"));
  REQUIRE(unlink((folder / "gone").c_str()) == 0);
  CHECK_FALSE(gone.is_at(folder / "gone"));
  REQUIRE(chmod((folder / "shut").c_str(), 0) == 0);
  const pid_t child = fork();
  if (child == 0) _exit((geteuid() != 0 || setuid(65534) == 0) && kept.is_at(folder / "shut/ours") ? 0 : 1);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(chmod((folder / "shut").c_str(), 0700) == 0);
}

TEST_CASE("what a forked child must not keep is closed by its mark") {
  const test::Folder folder;
  const KeptDescriptor ours(make_file(folder / "ours"));
  const KeptDescriptor taken(make_file(folder / "taken"));
  const int number = take_number(taken.fd(), folder / "theirs");
  base::OpenFiles::close_all();
  CHECK_FALSE(is_open_number(ours.fd()));
  CHECK(is_open_number(number));
  close(number);
}

}  // namespace
