// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/task_clock.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "agent/hotspot/walk/kernel_chain.h"
#include "base/clock.h"
#include "base/descriptor.h"

namespace rec::agent {
namespace {

constexpr int64_t kTrialPeriodNs = 100'000;
constexpr int64_t kTrialNs = 900'000;  // of work without a clock
constexpr int kTrials = 3;             // the cheapest counts: others use the machine, too

int64_t cpu_ns() { return base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID); }

void work(uint64_t rounds) {
  volatile uint64_t sink = 1;
  for (uint64_t i = 0; i < rounds; ++i) sink = sink * 6364136223846793005u + 1;
}

int64_t cost_of(uint64_t rounds) {
  const int64_t begin = cpu_ns();
  work(rounds);
  return cpu_ns() - begin;
}

uint64_t rounds_of_trial() {
  constexpr uint64_t kFew = 50'000;
  const int64_t cost = std::max<int64_t>(std::min(cost_of(kFew), cost_of(kFew)), 1);
  return kFew * static_cast<uint64_t>(kTrialNs) / static_cast<uint64_t>(cost);
}

// Of the kernel's frames alone, the newest in front (hotspot/walk/kernel_chain.h reads them).
void ask_for_chain(perf_event_attr& attributes) {
  attributes.sample_type = PERF_SAMPLE_CALLCHAIN;
  attributes.exclude_callchain_user = 1;
  attributes.write_backward = 1;
  attributes.sample_max_stack = KernelChain::kMostFrames;
}

}  // namespace

int open_task_clock(int32_t os_id, int64_t period_ns, bool sees_kernel, bool tells_kernel) {
  perf_event_attr attributes;
  std::memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.sample_period = static_cast<uint64_t>(period_ns);
  attributes.wakeup_events = 1;
  attributes.disabled = 1;
  attributes.exclude_kernel = sees_kernel ? 0 : 1;
  attributes.exclude_hv = 1;
  if (tells_kernel) ask_for_chain(attributes);
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, os_id, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

bool task_clock_id(int fd, uint64_t& id) { return ioctl(fd, PERF_EVENT_IOC_ID, &id) == 0; }

bool is_task_clock(int fd, uint64_t id) {
  uint64_t now = 0;
  return task_clock_id(fd, now) && now == id;
}

int64_t task_clock_cost_ns() {
  const base::Descriptor clock(open_task_clock(0, kTrialPeriodNs, true));
  if (!clock) return 0;
  const uint64_t rounds = rounds_of_trial();
  int64_t without = INT64_MAX, with = INT64_MAX;
  for (int i = 0; i < kTrials; ++i) {
    without = std::min(without, cost_of(rounds));
    if (ioctl(clock.fd(), PERF_EVENT_IOC_ENABLE, 0) != 0) return 0;
    with = std::min(with, cost_of(rounds));
    ioctl(clock.fd(), PERF_EVENT_IOC_DISABLE, 0);
  }
  // What the ticks cost makes for more ticks: it is part of what is counted.
  return with <= without ? 0 : (with - without) * kTrialPeriodNs / with;
}

}  // namespace rec::agent
