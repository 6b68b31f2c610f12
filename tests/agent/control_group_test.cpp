// SPDX-License-Identifier: Apache-2.0
#include "agent/process/control_group.h"

#include <doctest/doctest.h>

#include "tests/agent/group_folder.h"

using namespace rec::agent;

namespace {

ControlGroup group_of(const GroupFolder& folder) { return ControlGroup(folder.self(), folder.root()); }

}  // namespace

TEST_CASE("memory of a group of version 1: its use, and the smallest limit around it") {
  GroupFolder folder;
  folder.write("self", "5:devices:/\n4:memory:/pod/app\n")
      .write("memory/memory.usage_in_bytes", "9\n")
      .write("memory/memory.limit_in_bytes", "9223372036854771712\n")
      .write("memory/pod/memory.limit_in_bytes", "1000\n")
      .write("memory/pod/app/memory.usage_in_bytes", "700\n")
      .write("memory/pod/app/memory.limit_in_bytes", "9223372036854771712\n")
      .write("memory/pod/app/memory.soft_limit_in_bytes", "9223372036854771712\n")
      .write("memory/pod/app/memory.failcnt", "3\n")
      .write("memory/pod/app/memory.stat", "inactive_file 1\ntotal_inactive_file 50\n")
      .write("memory/pod/app/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
  const ControlGroup group = group_of(folder);
  REQUIRE(group.has_memory());
  CHECK(std::string(group.type()) == "cgroupv1");
  const GroupMemory memory = group.memory();
  CHECK(memory.usage == 700);
  CHECK(memory.limit == 1000);
  CHECK(memory.soft_limit == kNotTold);
  CHECK(memory.inactive == 50);
  CHECK(memory.failures == 3);
  CHECK(memory.oom_kills == 2);
  CHECK(memory.with_swap == kNotTold);
}

TEST_CASE("memory of a group of version 2, with its pressure") {
  GroupFolder folder;
  folder.write("self", "0::/app\n")
      .write("app/memory.current", "700\n")
      .write("app/memory.max", "max\n")
      .write("app/memory.swap.current", "11\n")
      .write("app/memory.events", "low 0\nhigh 0\nmax 4\noom 1\noom_kill 1\n")
      .write("app/memory.pressure", "some avg10=0 avg60=0 avg300=0 total=55\nfull avg10=0 avg60=0 avg300=0 total=1\n");
  const GroupMemory memory = group_of(folder).memory();
  CHECK(std::string(group_of(folder).type()) == "cgroupv2");
  CHECK(memory.usage == 700);
  CHECK(memory.with_swap == 711);
  CHECK(memory.limit == kNotTold);
  CHECK(memory.failures == 4);
  CHECK(memory.oom_kills == 1);
  CHECK(memory.stalled_us == 55);
  folder.write("memory.max", "900\n");
  CHECK(group_of(folder).memory().limit == 900);
}

TEST_CASE("a quota of either version, and the processors that it is good for") {
  GroupFolder second;
  second.write("self", "0::/app\n")
      .write("app/memory.current", "1\n")
      .write("app/cpu.stat",
             "usage_usec 5\nuser_usec 3\nsystem_usec 2\nnr_periods 9\nnr_throttled 4\nthrottled_usec 7\n")
      .write("app/cpu.max", "50000 100000\n");
  const GroupCpu cpu = group_of(second).cpu();
  CHECK(cpu.used_ns == 5000);
  CHECK(cpu.throttled_periods == 4);
  CHECK(cpu.throttled_ns == 7000);
  CHECK(cpu.quota_us == 50'000);
  CHECK(cpu.period_us == 100'000);
  CHECK(usable_processors(cpu) == 1);
  CHECK(usable_processors({}) >= 1);
}

TEST_CASE("a container that sees its host's names has its own folder") {
  GroupFolder folder;
  folder.write("self", "4:memory:/docker/1234\n").write("memory/memory.usage_in_bytes", "5\n");
  CHECK(group_of(folder).memory().usage == 5);
}

TEST_CASE("damage: groups that are none, and names that lead out, are not followed") {
  GroupFolder folder;
  CHECK_FALSE(group_of(folder).has_memory());
  folder.write("outside/memory.current", "5\n").write("self", "0::/../outside\n0:\n:::\n\n4:memory\n");
  CHECK_FALSE(group_of(folder).has_memory());
  folder.write("self", "4:memory:/a/../../outside\n");
  CHECK_FALSE(group_of(folder).has_memory());
  CHECK(group_of(folder).memory().usage == kNotTold);
  folder.write("self", "0::/app\n").write("app/memory.current", "lots\n").write("app/memory.max", "-5\n");
  CHECK(group_of(folder).has_memory());
  CHECK(group_of(folder).memory().usage == kNotTold);
  CHECK(group_of(folder).memory().limit == kNotTold);
}
