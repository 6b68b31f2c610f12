// SPDX-License-Identifier: Apache-2.0
// ControlGroup tells what the control groups of this process (cgroups(7), versions 1 and 2) use and may use.
//
//   /proc/self/cgroup names the group of each controller; its files lie under /sys/fs/cgroup. In a container the name may
//   be the host's: then the group is the controller's folder itself.
//
//   a limit      the smallest of the group's and those around it
//   kNotTold     no limit, no such file, or none of a process that is in no group
//
// Sources: Documentation/admin-guide/cgroup-v1/memory.rst, cgroup-v2.rst; what JFR makes of the files:
// src/hotspot/os/linux/cgroupV1Subsystem_linux.cpp, cgroupV2Subsystem_linux.cpp. Ordinary threads; some 10 us a file.
// Needs no JVM.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "agent/process/key_values.h"
#include "base/text_lines.h"

namespace rec::agent {

// Bytes.
struct GroupMemory {
  int64_t usage = kNotTold;                                                // caches of files among it
  int64_t inactive = kNotTold;                                             // of these: what the kernel drops first
  int64_t with_swap = kNotTold;                                            // usage, and what was swapped out
  int64_t limit = kNotTold, swap_limit = kNotTold, soft_limit = kNotTold;  // swap_limit: of both together
  int64_t failures = kNotTold;                                             // times that the limit was met
  int64_t oom_kills = kNotTold;                                            // processes that the kernel killed for it
  int64_t stalled_us = kNotTold;  // in which some task waited for memory, in all (memory.pressure, version 2)
};

struct GroupCpu {
  int64_t used_ns = kNotTold, user_ns = kNotTold, system_ns = kNotTold;
  int64_t periods = kNotTold, throttled_periods = kNotTold, throttled_ns = kNotTold;
  int64_t period_us = kNotTold, quota_us = kNotTold, shares = kNotTold;
};

class ControlGroup {
 public:
  ControlGroup() : ControlGroup("/proc/self/cgroup", "/sys/fs/cgroup") {}
  ControlGroup(const std::string& groups, const std::string& root);

  bool has_memory() const { return !memory_.folder.empty(); }
  bool has_cpu() const { return !cpu_.folder.empty(); }
  const char* type() const { return second_ ? "cgroupv2" : "cgroupv1"; }

  GroupMemory memory() const;
  GroupCpu cpu() const;

 private:
  // A controller: where it is mounted, and the group's folder in it.
  struct Place {
    std::string mount, folder;
  };
  static Place place(const std::string& mount, std::string_view group, const char* file);
  void find(const base::GroupLine& line, const std::string& root);
  GroupMemory memory_first() const;
  GroupMemory memory_second() const;
  GroupCpu cpu_first() const;
  GroupCpu cpu_second() const;

  Place memory_, cpu_, accounting_;
  bool second_ = false;  // version 2
};

// Of the text of a cpu.stat of either version: for how long the group was kept from the CPUs, since it was made.
int64_t throttled_ns_of(std::string_view cpu_stat);
int64_t quota_periods_of(
    std::string_view cpu_stat);  // in which a process of the group has run; kNotTold: no word of it

// As many as the quota is good for and the process may run on, at least 1.
int64_t usable_processors(const GroupCpu& cpu);

}  // namespace rec::agent
