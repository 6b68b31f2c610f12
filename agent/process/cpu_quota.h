// SPDX-License-Identifier: Apache-2.0
// CpuQuota tells for how long the process' threads were kept from the CPUs because a control group had used up its quota:
// its own group, or one around it. Files cpu.stat of cgroups, version 1 (throttled_time) and 2 (throttled_usec), which
// sum up since the group was made. It holds a descriptor for each group. Needs no JVM.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"

namespace rec::agent {

class CpuQuota {
 public:
  CpuQuota() : CpuQuota("/proc/self/cgroup", "/sys/fs/cgroup") {}
  CpuQuota(const char* groups, const std::string& root);

  int64_t throttled_ns();  // of the group that was throttled most; -1: not known
  // By then, the processes of a group have run under a quota. Where none has, nobody is throttled before that changes.
  bool has_run() const { return has_run_; }

 private:
  void open_all(const std::string& folder, std::string_view group);

  std::vector<base::Descriptor> files_;  // from the process' group outwards
  bool has_run_ = false;
};

// Of a line of /proc/self/cgroup: whether it names the group that has the CPU, and which.
bool has_cpu_controller(std::string_view line, std::string_view& group);

}  // namespace rec::agent
