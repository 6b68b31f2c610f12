// SPDX-License-Identifier: Apache-2.0
#include "agent/process/cpu_quota.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "agent/process/control_group.h"
#include "base/small_file.h"
#include "base/text_lines.h"

namespace rec::agent {
namespace {

constexpr size_t kMostGroups = 16;

}  // namespace

bool has_cpu_controller(std::string_view line, std::string_view& group) {
  base::GroupLine parsed;
  if (!base::parse_group_line(line, parsed)) return false;
  group = parsed.group;
  return parsed.controllers.empty() || parsed.names("cpu");
}

// Where the controllers are mounted as distributions do it. In a container the path may be the host's: then the group is
// the folder itself, which is tried last.
CpuQuota::CpuQuota(const char* groups, const std::string& root) {
  base::each_line(base::read_small_file(groups).value_or(""), [&](std::string_view line) {
    std::string_view group;
    if (!has_cpu_controller(line, group)) return;
    for (const char* folder : {"/cpu", "/cpu,cpuacct", "", "/unified"}) open_all(root + folder, group);
  });
}

void CpuQuota::open_all(const std::string& folder, std::string_view group) {
  for (std::string path(group); files_.size() < kMostGroups; path.resize(path.rfind('/'))) {
    while (path.ends_with('/')) path.pop_back();
    base::Descriptor file(open((folder + path + "/cpu.stat").c_str(), O_RDONLY | O_CLOEXEC));
    if (file) files_.push_back(std::move(file));
    if (path.find('/') == std::string::npos) return;
  }
}

int64_t CpuQuota::throttled_ns() {
  int64_t most = -1;
  has_run_ = false;
  for (const base::Descriptor& file : files_) {
    char text[1024];
    const ssize_t size = pread(file.fd(), text, sizeof text, 0);
    if (size <= 0) continue;
    const std::string_view stat(text, static_cast<size_t>(size));
    most = std::max(most, throttled_ns_of(stat));
    has_run_ = has_run_ || quota_periods_of(stat) > 0;
  }
  return most;
}

}  // namespace rec::agent
