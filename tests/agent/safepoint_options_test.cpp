// SPDX-License-Identifier: Apache-2.0
// The options of the safepoint watcher, its list of waits above all.
#include <doctest/doctest.h>

#include <string>

#include "agent/options/options.h"

using namespace rec::agent;

namespace {

constexpr int64_t kMillisecond = 1'000'000;

std::string complaint_about(std::string_view text) {
  bool exit_on_error = false;
  const auto options = parse_options(text, &exit_on_error);
  return options.ok() ? "" : options.error().what;
}

}  // namespace

TEST_CASE("safepoints are not watched unless a threshold is given") {
  bool exit_on_error = false;
  CHECK(parse_options("filename=a.jfr", &exit_on_error)->safepoint_ns == 0);
  CHECK(parse_options("safepoint=10ms", &exit_on_error)->safepoint_ns == 10 * kMillisecond);
  CHECK(complaint_about("safepoint=0") == "");
  CHECK(complaint_about("safepoint=10").find("is not a time") != std::string::npos);
  CHECK(complaint_about("safepoint=10us").find("too small") != std::string::npos);
}

TEST_CASE("the waits before late threads are asked are a rising list of up to five times") {
  bool exit_on_error = false;
  auto options = parse_options("safepointbacktraces=10ms:20ms:50ms:100ms:1s,safepointlog=stderr", &exit_on_error);
  REQUIRE(options.ok());
  CHECK(options->safepoint_waits_ns == std::vector<int64_t>{10 * kMillisecond, 20 * kMillisecond, 50 * kMillisecond,
                                                            100 * kMillisecond, 1000 * kMillisecond});
  CHECK(options->safepoint_log == "stderr");
  for (const char* text : {"10ms:10ms", "20ms:10ms"})
    CHECK(complaint_about(std::string("safepointbacktraces=") + text).find("do not rise") != std::string::npos);
  CHECK(complaint_about("safepointbacktraces=1ms:2ms:3ms:4ms:5ms:6ms").find("more than five") != std::string::npos);
  for (const char* text : {"10ms:", ":10ms", "10", "ten", "10us", "10ms::20ms", "2h"})
    CHECK(complaint_about(std::string("safepointbacktraces=") + text).find("is not a list of times") !=
          std::string::npos);
}
