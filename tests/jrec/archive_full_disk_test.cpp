// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <random>

#include "jrec/base/exit_code.h"
#include "tests/jrec/heard.h"
#include "tests/text.h"

using namespace jrec;
using namespace test;

namespace {

// As on a disk that is full: files become no longer than that.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit full{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

}  // namespace

TEST_CASE("archive add names the archive where that cannot be written, and not what was to be added") {
  const Workplace place;
  Bytes noise(300'000);
  std::mt19937 random(7);
  for (uint8_t& byte : noise) byte = static_cast<uint8_t>(random());
  const std::string file = place.write("noise.jfr", noise);
  const FullDisk full(100'000);
  const test::Heard heard = test::hear(place, {"archive", "add", place.path("full.recz"), file});
  CHECK(heard.code == kOutputFailed);
  CHECK_MESSAGE(has(heard.err, "full.recz: cannot write"), heard.err);
  CHECK_FALSE(has(heard.err, "noise.jfr"));
}
