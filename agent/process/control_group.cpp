// SPDX-License-Identifier: Apache-2.0
#include "agent/process/control_group.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include "base/small_file.h"
#include "base/text_lines.h"

namespace rec::agent {
namespace {

constexpr int64_t kNsOfUsec = 1000;
constexpr int64_t kNoLimitFirst = INT64_MAX - (1 << 20);  // version 1 writes the largest number of pages for "none"

std::string group_text(const std::string& folder, const char* file) {
  return base::read_small_file(folder + "/" + file).value_or("");
}
int64_t number_at(const std::string& folder, const char* file) { return lone_number(group_text(folder, file)); }

bool is_limit(int64_t bytes) { return bytes >= 0 && bytes < kNoLimitFirst; }
int64_t smaller(int64_t limit, int64_t other) {
  if (!is_limit(other)) return limit;
  return is_limit(limit) ? std::min(limit, other) : other;
}

int64_t sum(int64_t one, int64_t other) { return one == kNotTold || other == kNotTold ? kNotTold : one + other; }

// Of the file in this folder, and in those around it up to the controller's.
int64_t least_limit(const std::string& mount, std::string folder, const char* file) {
  int64_t limit = kNotTold;
  for (; folder.size() >= mount.size(); folder.resize(folder.rfind('/'))) {
    limit = smaller(limit, number_at(folder, file));
    if (folder.size() == mount.size() || folder.rfind('/') == std::string::npos) break;
  }
  return limit;
}

}  // namespace

int64_t throttled_ns_of(std::string_view cpu_stat) {
  const int64_t second = times(number_of(cpu_stat, "throttled_usec"), kNsOfUsec);
  return second != kNotTold ? second : number_of(cpu_stat, "throttled_time");
}

int64_t quota_periods_of(std::string_view cpu_stat) { return number_of(cpu_stat, "nr_periods"); }

ControlGroup::ControlGroup(const std::string& groups, const std::string& root) {
  base::each_line(base::read_small_file(groups).value_or(""), [&](std::string_view line) {
    base::GroupLine group;
    if (base::parse_group_line(line, group)) find(group, root);
  });
}

// With both versions, the controllers are where they were mounted.
void ControlGroup::find(const base::GroupLine& line, const std::string& root) {
  if (line.controllers.empty()) {
    const Place memory = place(root, line.group, "memory.current");
    if (memory_.folder.empty() && !memory.folder.empty()) memory_ = memory, second_ = true;
    if (second_) cpu_ = accounting_ = place(root, line.group, "cpu.stat");
    return;
  }
  if (second_) return;
  const std::string mount = root + "/" + std::string(line.controllers);
  if (line.names("memory")) memory_ = place(mount, line.group, "memory.usage_in_bytes");
  if (line.names("cpu")) cpu_ = place(mount, line.group, "cpu.shares");
  if (line.names("cpuacct")) accounting_ = place(mount, line.group, "cpuacct.usage");
}

// A name from outside of a container may lead nowhere, and ".." out of it.
ControlGroup::Place ControlGroup::place(const std::string& mount, std::string_view group, const char* file) {
  while (group.ends_with('/')) group.remove_suffix(1);
  const std::string folder = mount + std::string(group);
  if (group.find("/..") == group.npos && access((folder + "/" + file).c_str(), R_OK) == 0) return {mount, folder};
  if (access((mount + "/" + file).c_str(), R_OK) == 0) return {mount, mount};
  return {};
}

GroupMemory ControlGroup::memory() const {
  if (!has_memory()) return {};
  return second_ ? memory_second() : memory_first();
}

GroupMemory ControlGroup::memory_first() const {
  const std::string& folder = memory_.folder;
  const std::string stat = group_text(folder, "memory.stat");
  GroupMemory memory;
  memory.usage = number_at(folder, "memory.usage_in_bytes");
  memory.inactive = number_of(stat, "total_inactive_file");
  memory.with_swap = number_at(folder, "memory.memsw.usage_in_bytes");
  memory.limit = smaller(least_limit(memory_.mount, folder, "memory.limit_in_bytes"),
                         number_of(stat, "hierarchical_memory_limit"));
  memory.swap_limit = smaller(least_limit(memory_.mount, folder, "memory.memsw.limit_in_bytes"),
                              number_of(stat, "hierarchical_memsw_limit"));
  memory.soft_limit = smaller(kNotTold, number_at(folder, "memory.soft_limit_in_bytes"));
  memory.failures = number_at(folder, "memory.failcnt");
  memory.oom_kills = number_of(group_text(folder, "memory.oom_control"), "oom_kill");
  return memory;
}

GroupMemory ControlGroup::memory_second() const {
  const std::string& folder = memory_.folder;
  const std::string events = group_text(folder, "memory.events");
  GroupMemory memory;
  memory.usage = number_at(folder, "memory.current");
  memory.inactive = number_of(group_text(folder, "memory.stat"), "inactive_file");
  memory.with_swap = sum(memory.usage, number_at(folder, "memory.swap.current"));
  memory.limit = least_limit(memory_.mount, folder, "memory.max");
  memory.swap_limit = sum(memory.limit, least_limit(memory_.mount, folder, "memory.swap.max"));
  memory.soft_limit = number_at(folder, "memory.low");
  memory.failures = number_of(events, "max");
  memory.oom_kills = number_of(events, "oom_kill");
  memory.stalled_us = number_in_line(group_text(folder, "memory.pressure"), "some", "total");
  return memory;
}

GroupCpu ControlGroup::cpu() const {
  if (!has_cpu()) return {};
  return second_ ? cpu_second() : cpu_first();
}

GroupCpu ControlGroup::cpu_first() const {
  const std::string stat = group_text(cpu_.folder, "cpu.stat");
  GroupCpu cpu;
  cpu.periods = quota_periods_of(stat);
  cpu.throttled_periods = number_of(stat, "nr_throttled");
  cpu.throttled_ns = throttled_ns_of(stat);
  cpu.quota_us = number_at(cpu_.folder, "cpu.cfs_quota_us");
  cpu.period_us = number_at(cpu_.folder, "cpu.cfs_period_us");
  cpu.shares = number_at(cpu_.folder, "cpu.shares");
  if (accounting_.folder.empty()) return cpu;
  const std::string used = group_text(accounting_.folder, "cpuacct.stat");  // in ticks of the kernel
  const int64_t tick_ns = 1'000'000'000 / std::max(1L, sysconf(_SC_CLK_TCK));
  cpu.used_ns = number_at(accounting_.folder, "cpuacct.usage");
  cpu.user_ns = times(number_of(used, "user"), tick_ns);
  cpu.system_ns = times(number_of(used, "system"), tick_ns);
  return cpu;
}

GroupCpu ControlGroup::cpu_second() const {
  const std::string stat = group_text(cpu_.folder, "cpu.stat");
  const std::string quota = group_text(cpu_.folder, "cpu.max");  // "max 100000"
  GroupCpu cpu;
  cpu.periods = quota_periods_of(stat);
  cpu.throttled_periods = number_of(stat, "nr_throttled");
  cpu.throttled_ns = throttled_ns_of(stat);
  cpu.used_ns = times(number_of(stat, "usage_usec"), kNsOfUsec);
  cpu.user_ns = times(number_of(stat, "user_usec"), kNsOfUsec);
  cpu.system_ns = times(number_of(stat, "system_usec"), kNsOfUsec);
  cpu.quota_us = lone_number(quota);
  cpu.period_us = lone_number(std::string_view(quota).substr(std::min(quota.find(' '), quota.size())));
  cpu.shares = number_at(cpu_.folder, "cpu.weight");
  return cpu;
}

int64_t usable_processors(const GroupCpu& cpu) {
  cpu_set_t allowed;
  int64_t processors = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
  if (cpu.quota_us > 0 && cpu.period_us > 0)
    processors = std::min(processors, (cpu.quota_us + cpu.period_us - 1) / cpu.period_us);
  return std::max<int64_t>(processors, 1);
}

}  // namespace rec::agent
