// SPDX-License-Identifier: Apache-2.0
#include "agent/process/standing_place.h"

namespace rec::agent {

StandingPlace standing_place(TaskDirectory& tasks, int32_t os_id) {
  const int64_t cpu_ns = task_clock_is_exact() ? task_cpu_ns(os_id) : -1;
  if (cpu_ns < 0) return {};
  OsState os;
  read_system_call(tasks, os_id, os);
  return {os.pc, os.sp, cpu_ns};
}

bool has_stood(const StandingPlace& place, int32_t os_id) { return task_cpu_ns(os_id) == place.cpu_ns; }

bool sleeps_in_system_call(TaskDirectory& tasks, int32_t os_id) {
  OsState os;
  read_system_call(tasks, os_id, os);
  if (os.state == 0 && os.system_call == kSystemCallUnknown) read_stat(tasks, os_id, os);
  return os.state != 'R' && os.system_call != kNoSystemCall;
}

}  // namespace rec::agent
