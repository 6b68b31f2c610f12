// SPDX-License-Identifier: Apache-2.0
// Files that a command was told to write.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/descriptor.h"
#include "base/file_io.h"
#include "jrec/base/inputs.h"
#include "jrec/base/output_file.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/files.h"

using namespace jrec;
using namespace test;

namespace {

// Forks, so that a test may be killed as a command is.
template <typename Work>
void killed_in(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::raise(SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
}

}  // namespace

TEST_CASE("damage: who is killed while a file is written leaves what stood there, and nothing beside it") {
  const Workplace place;
  forget_inputs();
  const int nameless = ::open(place.path("").c_str(), O_TMPFILE | O_RDWR, 0600);
  if (nameless < 0) return;  // a file system that knows no such files: output.h names this
  ::close(nameless);
  for (const bool is_there : {false, true}) {
    if (is_there) place.write("out", Bytes(3, 'a'));
    killed_in([&] {
      OutputFile file(place.path("out"));
      static_cast<void>(base::write_all(file.fd(), "half", 4));
    });
    CHECK(files_in(place.path("")) == (is_there ? 1 : 0));
    OutputFile file(place.path("out"));
    REQUIRE(base::write_all(file.fd(), "whole", 5));
    CHECK(place.read("out") == (is_there ? "aaa" : ""));
    CHECK(file.commit());
    CHECK(place.read("out") == "whole");
    CHECK(files_in(place.path("")) == 1);
  }
}

namespace {

bool commit_text(const std::string& path, std::string_view text) {
  forget_inputs();
  OutputFile file(path);
  return file.fd() >= 0 && base::write_all(file.fd(), text.data(), text.size()) && file.commit();
}

}  // namespace

TEST_CASE("an output has the mode of what it replaces, and a link to that stays one") {
  const Workplace place;
  place.write("real", Bytes(3, 'a'));
  REQUIRE(::chmod(place.path("real").c_str(), 0664) == 0);
  std::filesystem::create_symlink("real", place.path("link"));
  std::filesystem::create_symlink("missing", place.path("dangling"));
  CHECK(commit_text(place.path("link"), "new"));
  CHECK(commit_text(place.path("dangling"), "made"));
  CHECK(std::filesystem::is_symlink(place.path("link")));
  CHECK(std::filesystem::is_symlink(place.path("dangling")));
  CHECK(place.read("real") == "new");
  CHECK(place.read("missing") == "made");
  struct stat status {};
  REQUIRE(::stat(place.path("real").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0664);
  CHECK(files_in(place.path("")) == 4);
}

TEST_CASE(
    "damage: in a directory that all share, what is of somebody else is replaced, and neither followed nor taken "
    "after") {
  const Workplace place;
  if (::geteuid() != 0) return;  // who makes links for others
  place.write("secret", Bytes(3, 'a'));
  std::filesystem::create_directory(place.path("shared"));
  REQUIRE(::chmod(place.path("shared").c_str(), 01777) == 0);
  std::filesystem::create_symlink(place.path("secret"), place.path("shared/link"));
  REQUIRE(::lchown(place.path("shared/link").c_str(), 65534, 65534) == 0);
  CHECK(commit_text(place.path("shared/link"), "new"));
  CHECK(place.read("secret") == "aaa");
  CHECK_FALSE(std::filesystem::is_symlink(place.path("shared/link")));
  place.write("shared/file", Bytes(3, 'a'));
  REQUIRE(::chmod(place.path("shared/file").c_str(), 0666) == 0);
  REQUIRE(::chown(place.path("shared/file").c_str(), 65534, 65534) == 0);
  CHECK(commit_text(place.path("shared/file"), "new"));
  struct stat status {};
  REQUIRE(::stat(place.path("shared/file").c_str(), &status) == 0);
  CHECK(status.st_uid == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("damage: an output that leads to a descriptor of the process, as /dev/stdout does, is no file to replace") {
  const Workplace place;
  const base::Descriptor log(::open(place.path("log").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600));
  REQUIRE(log);
  REQUIRE(base::write_all(log.fd(), "one ", 4));
  std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(log.fd()), place.path("stdout"));
  CHECK(commit_text(place.path("stdout"), "two "));
  CHECK(commit_text("/dev/fd/" + std::to_string(log.fd()), "three"));
  CHECK(std::filesystem::is_symlink(place.path("stdout")));
  CHECK(place.read("log") == "one two three");
  CHECK_FALSE(commit_text("/dev/fd/987", "nowhere"));
}
