// SPDX-License-Identifier: Apache-2.0
#include "agent/options/changes.h"

#include <doctest/doctest.h>

#include <string_view>

using namespace rec::agent;

namespace {

base::Result<Options> read(std::string_view text) {
  bool exit_on_error = false;
  return parse_options(text, &exit_on_error);
}

Options changed(std::string_view running, std::string_view set) {
  const auto before = read(running), changes = read(set);
  REQUIRE(before.ok());
  REQUIRE_MESSAGE(changes.ok(), (changes.ok() ? "" : changes.error().what));
  return with_changes(*before, *changes);
}

std::string refusal(std::string_view set) {
  const auto changes = read(set);
  return changes.ok() ? "" : changes.error().what;
}

}  // namespace

TEST_CASE("set names what starts, changes and stops, and leaves the rest") {
  const Options both = changed("interval=5ms", "set,wall=20ms");
  CHECK(both.samples_cpu());
  CHECK(both.period_ns == 5'000'000);
  CHECK(both.samples_wall());
  CHECK(both.wall_ns == 20'000'000);
  const Options other = changed("wall=20ms,alloc=1m,lock=3ms", "set,alloc=64k,wall=off,live,lock=0");
  CHECK_FALSE(other.samples_cpu());
  CHECK_FALSE(other.samples_wall());
  CHECK(other.alloc_bytes == 64 << 10);
  CHECK(other.live_bytes == kDefaultAllocBytes);
  CHECK(other.records_locks());
  CHECK(other.lock_ns == 0);
}

TEST_CASE("a clock that is set without an interval has the one that it had") {
  CHECK(changed("interval=1ms,wall", "set,cpu").period_ns == 1'000'000);
  CHECK(changed("cpu=1ms,alloc=1m", "set,cpu,alloc=2m").period_ns == 1'000'000);
  CHECK(changed("lock=3ms,alloc=1m", "set,alloc").alloc_bytes == 1 << 20);
  CHECK(changed("alloc", "set,lock").lock_ns == kDefaultLockNs);
}

TEST_CASE("set leaves no clock where all are off, and the CPU's does not come back by itself") {
  const Options none = changed("", "set,cpu=off");
  CHECK_FALSE(none.samples_cpu());
  const auto wall = read("set,wall=50ms"), off = read("set,wall=off");
  CHECK_FALSE(with_changes(with_changes(none, *wall), *off).samples_cpu());
  CHECK(changed("cpu=off", "set,cpu").samples_cpu());
}

TEST_CASE("set changes what is watched beside the clocks") {
  const Options now = changed("safepoint=10ms", "set,safepoint=off,statistics=1s,threaddump=2,blackbox=0");
  CHECK(now.safepoint_ns == 0);
  CHECK(now.statistics_ns == 1'000'000'000);
  CHECK(now.thread_dump_ns == 2'000'000'000);
  CHECK(now.blackbox_ns == 0);
  CHECK(changed("safepoint=10ms", "set,wall=off").safepoint_ns == 10'000'000);
}

TEST_CASE("set refuses wrong values as start does, and what stays while a recording runs") {
  CHECK(refusal("set,wall=1us") == "'wall=1us' is too small; the smallest is 1ms");
  CHECK(refusal("set,wal=1ms") == "unknown option 'wal'; did you mean 'wall'?");
  CHECK(refusal("set,alloc=of").find("is not a size") != std::string::npos);
  CHECK(refusal("set,wall=50ms,duration=5s")
            .starts_with("'duration' stays as it is while a recording runs; set takes cpu, "));
  CHECK(refusal("set").find("needs what is to change") != std::string::npos);
  CHECK(refusal("set,answer=/tmp/a").find("needs what is to change") != std::string::npos);
}

TEST_CASE("clocks that stop go on until those that start have started") {
  const auto running = read("cpu=10ms,alloc=1m");
  const Options wanted = changed("cpu=10ms,alloc=1m", "set,cpu=5ms,alloc=off,wall=50ms");
  const Options first = without_stops(*running, wanted);
  CHECK(first.period_ns == 5'000'000);
  CHECK(first.samples_wall());
  CHECK(first.samples_alloc());
  CHECK(first.alloc_bytes == 1 << 20);
  CHECK(without_stops(*running, changed("cpu=10ms,alloc=1m", "set,alloc=off")) ==
        changed("cpu=10ms,alloc=1m", "set,cpu=10ms"));
}
