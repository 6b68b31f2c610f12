// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/safepoint_log.h"

#include <doctest/doctest.h>

#include "tests/base/folder.h"
#include "tests/whole_file.h"

using namespace rec::agent;

TEST_CASE("no name of a thread or method begins a line of the log of safepoints, or moves the cursor") {
  const test::Folder folder;
  rec::TimeToSafepoint stall;
  stall.duration_ns = 20'000'000;
  LateThread late;
  late.name = "x\x1b[31m\nDetected TTSP issue: \xed\xa0\xbd\xed\xb8\x80";
  late.event.gave_way = true;
  late.where_text = {{"a.B.c\nd:1"}};
  SafepointLog(folder / "log").write(stall, {late});
  const std::string log = test::whole_file(folder / "log");
  CHECK(log.find("\"x [31m Detected TTSP issue: \xf0\x9f\x98\x80\" id: ") != std::string::npos);
  CHECK(log.find("\n0 - a.B.c d:1\n") != std::string::npos);
}
