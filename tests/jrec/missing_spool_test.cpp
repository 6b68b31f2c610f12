// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/missing_spool.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "jrec/base/exit_code.h"
#include "recover/spool_places.h"
#include "tests/jrec/heard.h"
#include "tests/recover/dead_process.h"
#include "tests/text.h"

namespace test {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kAnotherUser = 4711;
constexpr const char* kNoProcess = "2147483646";

// A directory where spools are looked for, with what a dead process left.
class DeadPlace {
 public:
  DeadPlace() : before_(std::getenv("XDG_RUNTIME_DIR")), saved_(before_ == nullptr ? "" : before_) {
    ::setenv("XDG_RUNTIME_DIR", (directory / "").c_str(), 1);
    rec::test::record_and_die(directory, 3, 10);
    spools = rec::test::spool_directory_in(directory);
  }
  ~DeadPlace() {
    if (before_ == nullptr)
      ::unsetenv("XDG_RUNTIME_DIR");
    else
      ::setenv("XDG_RUNTIME_DIR", saved_.c_str(), 1);
  }

  const rec::test::TemporaryDirectory directory;
  std::string spools;

 private:
  const char* before_;
  const std::string saved_;
};

}  // namespace

TEST_CASE("a process id without spools is told those that there are, and where their chunks lie") {
  const Workplace place;
  const DeadPlace dead;
  const Heard heard = hear(place, {"recover", kNoProcess});
  CHECK(heard.code == jrec::kNothingReadable);
  const std::string pid = std::to_string(rec::pid_of(dead.spools));
  CHECK(has(heard.err, pid + " (since 2"));
  CHECK(has(heard.err, "chunks in " + dead.directory / "repository"));
  CHECK(fs::exists(dead.spools));
}

TEST_CASE("spools of another user are refused by name" * doctest::skip(geteuid() != 0)) {
  const Workplace place;
  const DeadPlace dead;
  REQUIRE(::chown(dead.spools.c_str(), kAnotherUser, kAnotherUser) == 0);
  const Heard heard = hear(place, {"recover", std::to_string(rec::pid_of(dead.spools))});
  CHECK(heard.code == jrec::kUsageError);
  CHECK(has(heard.err, fs::path(dead.spools).filename().string() + ": Permission denied: it belongs to user 4711"));
  CHECK_FALSE(has(heard.err, "there is no spool"));
  CHECK(fs::exists(dead.spools));
}

TEST_CASE("damage: spools that others can write to are refused, and not called another user's") {
  const Workplace place;
  const DeadPlace dead;
  fs::permissions(dead.spools, fs::perms::others_write, fs::perm_options::add);
  const Heard heard = hear(place, {"recover", std::to_string(rec::pid_of(dead.spools))});
  CHECK(heard.code == jrec::kUsageError);
  CHECK(has(heard.err, "others can write to it"));
}

}  // namespace test
