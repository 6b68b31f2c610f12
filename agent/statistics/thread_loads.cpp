// SPDX-License-Identifier: Apache-2.0
#include "agent/statistics/thread_loads.h"

#include <algorithm>

namespace rec::agent {

ThreadLoads::New ThreadLoads::next(const ThreadIdentity& thread, const ThreadUse& now) {
  Known& known = known_[thread.os_id];
  const bool first = known.look == 0 || known.number != thread.number;
  if (first) known = {.number = thread.number};
  New what;
  if (!first && now.cpu_ns >= 0 && known.use.cpu_ns >= 0) {
    what.cpu_ns = std::max<int64_t>(now.cpu_ns - known.use.cpu_ns, 0);
    what.time_ns = now.at_ns - known.use.at_ns;
  }
  what.allocated = now.allocated >= 0 && now.allocated != known.use.allocated;
  known.use = now;
  known.look = look_;
  return what;
}

int64_t ThreadLoads::user_since(const ThreadIdentity& thread, int64_t user_ns, int64_t cpu_since_ns) {
  const auto found = known_.find(thread.os_id);
  if (found == known_.end()) return 0;
  Known& known = found->second;
  const auto all = static_cast<double>(std::max<int64_t>(known.use.cpu_ns, 1));
  if (user_ns >= 0) known.user_part = std::min(1.0, static_cast<double>(user_ns) / all);
  if (user_ns >= 0 && known.user_ns >= 0) {
    const int64_t since = std::clamp<int64_t>(user_ns - known.user_ns, 0, cpu_since_ns);
    known.user_ns += since;
    return since;
  }
  const auto since = static_cast<int64_t>(known.user_part * static_cast<double>(cpu_since_ns));
  if (user_ns >= 0) known.user_ns = user_ns;
  if (known.user_ns >= 0 && user_ns < 0) known.user_ns += since;
  return since;
}

void ThreadLoads::end_look() {
  std::erase_if(known_, [&](const auto& each) { return each.second.look != look_; });
  ++look_;
}

}  // namespace rec::agent
