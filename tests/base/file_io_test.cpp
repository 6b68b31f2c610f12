// SPDX-License-Identifier: Apache-2.0
#include "base/file_io.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/small_file.h"
#include "tests/recorder/places.h"

namespace {

using base::Descriptor;
using rec::test::write_file;

struct Place {
  Place() { REQUIRE(mkdtemp(directory)); }
  ~Place() { std::filesystem::remove_all(directory); }
  std::string path(const std::string& name) const { return std::string(directory) + "/" + name; }
  char directory[32] = "/tmp/rec-base-XXXXXX";
};

Descriptor in_memory(const std::string& text = "") {
  Descriptor file(memfd_create("base", MFD_CLOEXEC));
  REQUIRE(file);
  REQUIRE(base::write_all(file.fd(), text.data(), text.size()));
  return file;
}

std::string whole(const Descriptor& file) {
  REQUIRE(lseek(file.fd(), 0, SEEK_SET) == 0);
  return base::read_rest(file.fd(), base::kSmallFile).value_or("unreadable");
}

bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

}  // namespace

TEST_CASE("a call is made again until no signal interrupts it") {
  int calls = 0;
  const int result = base::restarting([&] {
    errno = calls < 2 ? EINTR : 0;
    return calls++ < 2 ? -1 : 7;
  });
  CHECK(result == 7);
  CHECK(calls == 3);
}

TEST_CASE("a call that fails for another reason is made once") {
  int calls = 0;
  const int result = base::restarting([&] {
    errno = EIO;
    return ++calls, -1;
  });
  CHECK(result == -1);
  CHECK(calls == 1);
}

TEST_CASE("bytes are written one behind the other, or where they are told to") {
  const Descriptor file = in_memory("hello world");
  CHECK(base::write_all_at(file.fd(), "W", 1, 6));
  CHECK(whole(file) == "hello World");
  CHECK(base::write_all(file.fd(), "!", 1));
  CHECK(whole(file) == "hello World!");
}

TEST_CASE("a pipe that takes a little at a time gets all of it") {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  const std::string text(1u << 20, 'x');
  const pid_t child = fork();
  if (child == 0) _exit(base::write_all(to.fd(), text.data(), text.size()) ? 0 : 1);
  to.reset();
  CHECK(base::read_rest(from.fd(), 2u << 20) == text);
}

TEST_CASE("damage: what cannot be written says why") {
  const Descriptor full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  REQUIRE(full);
  errno = 0;
  CHECK_FALSE(base::write_all(full.fd(), "a", 1));
  CHECK(errno == ENOSPC);
  CHECK_FALSE(base::write_all(-1, "a", 1));
  CHECK(errno == EBADF);
  CHECK(base::write_all(-1, "", 0));  // nothing to do
}

TEST_CASE("damage: a file that ends before what is asked of it has not been read") {
  const Descriptor file = in_memory("12345");
  char bytes[5] = {};
  CHECK(base::read_all_at(file.fd(), bytes, 5, 0));
  CHECK(std::string(bytes, 5) == "12345");
  CHECK(base::read_all_at(file.fd(), bytes, 2, 3));
  CHECK(std::string(bytes, 2) == "45");
  CHECK_FALSE(base::read_all_at(file.fd(), bytes, 5, 1));
  CHECK(errno == ENODATA);
  CHECK(base::read_some_at(file.fd(), bytes, 5, 1) == 4);
  CHECK(base::read_some_at(file.fd(), bytes, 5, 9) == 0);
}

TEST_CASE("a descriptor is closed once, by whoever holds it last") {
  int fd = -1;
  {
    Descriptor first = in_memory();
    fd = first.fd();
    const Descriptor second = std::move(first);
    CHECK_FALSE(first);
    CHECK(second.fd() == fd);
    CHECK(is_open(fd));
  }
  CHECK_FALSE(is_open(fd));
  CHECK_FALSE(Descriptor());
}

TEST_CASE("a small file is read up to the limit") {
  const Place place;
  write_file(place.path("a"), "12345");
  CHECK(base::read_small_file(place.path("a")) == "12345");
  CHECK(base::read_small_file(place.path("a"), 3) == "123");
  CHECK_FALSE(base::read_small_file(place.path("b")));
  CHECK_FALSE(base::read_small_file("/proc/self"));  // opens, and cannot be read
  const Descriptor directory(open(place.path("").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  CHECK(base::read_small_file(directory.fd(), "a") == "12345");
  CHECK(base::read_small_file("/proc/self/stat").value_or("").starts_with(std::to_string(getpid()) + " ("));
}

TEST_CASE("damage: a file is taken from its owner only, and never by a link") {
  const Place place;
  write_file(place.path("a"), "12345");
  REQUIRE(symlink(place.path("a").c_str(), place.path("link").c_str()) == 0);
  REQUIRE(mkfifo(place.path("pipe").c_str(), 0600) == 0);
  CHECK(base::read_file_of(geteuid(), AT_FDCWD, place.path("a")) == "12345");
  CHECK_FALSE(base::read_file_of(geteuid() + 1, AT_FDCWD, place.path("a")));
  CHECK_FALSE(base::read_file_of(geteuid(), AT_FDCWD, place.path("link")));
  CHECK_FALSE(base::read_file_of(geteuid(), AT_FDCWD, place.path("pipe")));  // and does not wait for its writer
  CHECK(base::read_link(place.path("link")) == place.path("a"));
  CHECK(base::read_link(place.path("a")).empty());
}
