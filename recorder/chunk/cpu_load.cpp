// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/cpu_load.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "base/small_file.h"
#include "recorder/spool/limits.h"

namespace rec {
namespace {

float part(uint64_t of, uint64_t all) { return static_cast<float>(of) / static_cast<float>(all); }

}  // namespace

std::optional<CpuLoad::Look> CpuLoad::look(int64_t ticks) {
  Look now{.at = ticks};
  const std::string self = base::read_small_file("/proc/self/stat").value_or("");
  const size_t name_end = self.rfind(')');  // the name may hold anything, a ')' too
  if (name_end == std::string::npos) return std::nullopt;
  const int fields =
      std::sscanf(self.c_str() + name_end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64,
                  &now.user, &now.system);
  uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  const std::string machine = base::read_small_file("/proc/stat").value_or("");
  const int columns =
      std::sscanf(machine.c_str(),
                  "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
                  &user, &nice, &system, &idle, &iowait, &irq, &softirq, &steal);
  if (fields != 2 || columns != 8) return std::nullopt;
  now.machine_busy = user + nice + system + irq + softirq + steal;
  now.machine_all = now.machine_busy + idle + iowait;
  return now;
}

void CpuLoad::encode_if_due(EventEncoder& out, int64_t ticks) {
  if (last_.at != 0 && ticks - last_.at < kCpuLoadIntervalNs) return;
  const std::optional<Look> now = look(ticks);
  if (!now) return;
  const Look before = last_;
  last_ = *now;
  if (before.at == 0 || now->machine_all <= before.machine_all) return;
  const uint64_t user = now->user - before.user, system = now->system - before.system;
  const uint64_t busy = now->machine_busy - std::min(before.machine_busy, now->machine_busy);
  // The process has been read a little earlier than the machine, and by another count.
  const uint64_t all = std::max({now->machine_all - before.machine_all, busy, user + system});
  jfr::ByteSink& body = out.begin(jfr::TypeId::kCpuLoad, ticks);
  body.f32(part(user, all));
  body.f32(part(system, all));
  body.f32(part(std::max(busy, user + system), all));
  out.end();
}

}  // namespace rec
