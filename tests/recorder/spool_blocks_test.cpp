// SPDX-License-Identifier: Apache-2.0
// How a spool has its length and its blocks, and what is said where it does not.
#include "recorder/spool/spool_blocks.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>

#include "recorder/spool/limits.h"
#include "recorder/spool/spool.h"
#include "tests/forbidden_call.h"
#include "tests/recorder/faults.h"
#include "tests/text.h"

namespace rec::test {
namespace {

using ::test::has;
using ::test::without_call;

std::string why_no_spool(const TemporaryDirectory& directory) {
  const auto spool = Spool::create(directory / "", 0);
  return spool ? "" : spool.error().what;
}

uint64_t bytes_of_blocks(const std::string& path) {
  struct stat file {};
  return stat(path.c_str(), &file) == 0 ? static_cast<uint64_t>(file.st_blocks) * 512 : 0;
}

TEST_CASE("damage: a spool has blocks for what comes first, also where nobody may ask for them") {
  for (const int error : {EPERM, ENOSYS, EOPNOTSUPP}) {
    const TemporaryDirectory directory;
    const bool filtered = without_call(SYS_fallocate, error, [&] {
      auto spool = Spool::create(directory / "", 0);
      REQUIRE_MESSAGE(spool.ok(), spool.error().what);
      CHECK(bytes_of_blocks(spool->path()) >= kSpoolHeaderBytes + kLogFirstBytes + kArenaFirstBytes);
      CHECK_FALSE(spool->cramped());
    });
    if (!filtered) MESSAGE("the system has no filters of its calls");
  }
}

TEST_CASE("damage: a recording is whole where nobody may ask for blocks") {
  const TemporaryDirectory directory;
  without_call(SYS_fallocate, EPERM, [&] {
    const auto engine = start(test_config(directory));
    Emitter emitter;
    for (int i = 0; i < 3; ++i) {
      emitter.emit(100);
      REQUIRE(engine->rotate().ok());
    }
    REQUIRE(engine->stop().ok());
    check_nothing_lost(directory / "recording.jfr", emitter);
  });
}

TEST_CASE("damage: a spool that cannot have its blocks says so, and no room only where that is it") {
  const TemporaryDirectory directory;
  without_call(SYS_fallocate, EIO, [&] {
    CHECK(has(why_no_spool(directory), "cannot allocate blocks of the spool"));
    CHECK(has(why_no_spool(directory), "Input/output error"));
  });
  without_call(SYS_fallocate, ENOSPC, [&] { CHECK(has(why_no_spool(directory), "no room for the spool")); });
}

TEST_CASE("damage: a limit on the size of files is named where a spool may not be as long as it has to be") {
  const TemporaryDirectory directory;
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit small{2000 * 1024, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const std::string why = why_no_spool(directory);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  signal(SIGXFSZ, handler);
  CHECK(has(why, "320 MB long: File too large (ulimit -f)"));
}

}  // namespace
}  // namespace rec::test
