// SPDX-License-Identifier: Apache-2.0
#include "agent/process/cpu_quota.h"

#include <doctest/doctest.h>

#include "agent/process/control_group.h"
#include "tests/agent/group_folder.h"

using namespace rec::agent;

namespace {

int64_t throttled(const GroupFolder& folder) { return CpuQuota(folder.self().c_str(), folder.root()).throttled_ns(); }

}  // namespace

TEST_CASE("how long a group was throttled is read in both versions' words") {
  CHECK(throttled_ns_of("nr_periods 9\nnr_throttled 3\nthrottled_time 1234567\n") == 1'234'567);
  CHECK(throttled_ns_of("usage_usec 55\nnr_throttled 3\nthrottled_usec 12\n") == 12'000);
  CHECK(throttled_ns_of("usage_usec 55\n") == -1);
  CHECK(throttled_ns_of("") == -1);
}

TEST_CASE("damage: words that are none of a quota are no time") {
  CHECK(throttled_ns_of("throttled_time") == -1);
  CHECK(throttled_ns_of("throttled_time x\n") == -1);
  CHECK(throttled_ns_of("throttled_usec 9223372036854775807\n") == -1);
  CHECK(throttled_ns_of("throttled_usec -4\n") == -1);
}

TEST_CASE("the group that has the CPU is found among the others") {
  std::string_view group;
  CHECK(has_cpu_controller("4:cpu,cpuacct:/a/b", group));
  CHECK(group == "/a/b");
  CHECK(has_cpu_controller("1:cpu:/", group));
  CHECK(has_cpu_controller("0::/x", group));
  CHECK(group == "/x");
  CHECK_FALSE(has_cpu_controller("3:cpuset:/", group));
  CHECK_FALSE(has_cpu_controller("9:name=systemd:/", group));
  CHECK_FALSE(has_cpu_controller("nonsense", group));
}

TEST_CASE("whether anybody has run under a quota is told, of all groups together") {
  GroupFolder folder;
  folder.write("self", "0::/pod/app\n").write("pod/app/cpu.stat", "nr_periods 0\nthrottled_usec 0\n");
  CpuQuota quota(folder.self().c_str(), folder.root());
  CHECK_FALSE(quota.has_run());
  CHECK(quota.throttled_ns() == 0);
  CHECK_FALSE(quota.has_run());
  folder.write("pod/app/cpu.stat", "nr_periods 4\nthrottled_usec 1\n");
  CHECK(quota.throttled_ns() == 1'000);
  CHECK(quota.has_run());
}

TEST_CASE("a quota counts of the group itself, of one around it, and where a container sees only its own") {
  CHECK(throttled(GroupFolder()) == -1);
  GroupFolder second;
  second.write("self", "0::/pod/app\n").write("pod/app/cpu.stat", "throttled_usec 1\n");
  CHECK(throttled(second) == 1'000);
  second.write("pod/cpu.stat", "throttled_usec 7\n");
  CHECK(throttled(second) == 7'000);
  GroupFolder first;
  first.write("self", "4:memory:/m\n3:cpu,cpuacct:/of/the/host\n").write("cpu,cpuacct/cpu.stat", "throttled_time 5\n");
  CHECK(throttled(first) == 5);
}
