// SPDX-License-Identifier: Apache-2.0
#include "agent/process/key_values.h"

#include <doctest/doctest.h>

#include "agent/process/memory_figures.h"

using namespace rec::agent;

TEST_CASE("a line's number is found by its whole key, in bytes where kB follows") {
  constexpr char kStatus[] = "Name:\tVmRSS: 7 kB\nVmHWM:\t    2048 kB\nVmRSS:\t     512 kB\nThreads:\t9\n";
  CHECK(parse_resident(kStatus).now == 512 * 1024);
  CHECK(parse_resident(kStatus).peak == 2048 * 1024);
  CHECK(number_of(kStatus, "Threads") == 9);
  CHECK(number_of("oom_kill_disable 1\noom_kill 3", "oom_kill") == 3);
  CHECK(number_of("", "oom_kill") == kNotTold);
}

TEST_CASE("memory of the machine is read from meminfo") {
  const MachineMemory memory = parse_meminfo(
      "MemTotal:       100 kB\nMemFree: 10 kB\nMemAvailable:    60 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n");
  CHECK(memory.total == 100 * 1024);
  CHECK(memory.available == 60 * 1024);
  CHECK(memory.swap_total == 0);
  CHECK(parse_meminfo("").total == kNotTold);
}

TEST_CASE("a number alone is read, and max is none") {
  CHECK(lone_number("4096\n") == 4096);
  CHECK(lone_number("max\n") == kNotTold);
  CHECK(lone_number("-1\n") == kNotTold);
  CHECK(lone_number("") == kNotTold);
}

TEST_CASE("the total of a line of pressure is found") {
  constexpr char kPressure[] =
      "some avg10=0.00 avg60=1.50 avg300=0.22 total=58761459\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
  CHECK(number_in_line(kPressure, "some", "total") == 58'761'459);
  CHECK(number_in_line(kPressure, "full", "total") == 7);
  CHECK(number_in_line(kPressure, "none", "total") == kNotTold);
  CHECK(number_in_line("some total", "some", "total") == kNotTold);
}

TEST_CASE("damage: hostile numbers are not told") {
  CHECK(number_of("ctxt 99999999999999999999999", "ctxt") == kNotTold);
  CHECK(number_of("VmRSS: 9223372036854775807 kB", "VmRSS") == kNotTold);
  CHECK(number_of("VmRSS:", "VmRSS") == kNotTold);
  CHECK(number_of("VmRSS: kB", "VmRSS") == kNotTold);
  CHECK(number_of("VmRSS", "VmRSS") == kNotTold);
  CHECK(number_of("\n\n\n", "VmRSS") == kNotTold);
  CHECK(number_in_line("some =\nsome  total=-3", "some", "total") == kNotTold);
}
