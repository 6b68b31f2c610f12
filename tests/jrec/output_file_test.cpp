// SPDX-License-Identifier: Apache-2.0
// Files that a command was told to write.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_io.h"
#include "jrec/base/inputs.h"
#include "jrec/base/output.h"
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
