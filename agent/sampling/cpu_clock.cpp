// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/cpu_clock.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cassert>
#include <climits>
#include <cstring>

#include "agent/process/os_state.h"
#include "base/clock.h"

// Older C libraries do not name the thread member (sigevent(7)).
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace rec::agent {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;

// The CPU clock of any thread of this process, as the kernel encodes it (include/linux/posix-timers.h: CPUCLOCK_SCHED,
// per thread).
clockid_t cpu_clock_of(int32_t os_id) { return static_cast<clockid_t>(~static_cast<uint32_t>(os_id) << 3 | 6u); }

// A clock takes a descriptor a thread, and the application needs some too: ours may be among the first half of what the
// process may have.
int most_descriptors() {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < INT_MAX ? static_cast<int>(limit.rlim_cur / 2)
                                                                           : INT_MAX;
}

int64_t cpu_ns_of(const ThreadRecord& record) {
  return base::read_clock_ns(cpu_clock_of(record.os_id.load(std::memory_order_relaxed)));
}

timespec timespec_of(int64_t ns) { return {ns / kNanosPerSecond, ns % kNanosPerSecond}; }

}  // namespace

CpuClock::CpuClock(int signal, bool has_spare, int64_t period_ns)
    : signal_(signal), has_spare_(has_spare), period_ns_(period_ns) {
  int fd = open_perf(0);
  if (fd < 0) {
    may_see_kernel_ = false;
    fd = open_perf(0);
  }
  uses_perf_ = fd >= 0;
  if (fd >= 0) close(fd);
}

int CpuClock::open_perf(int32_t os_id) const {
  perf_event_attr attributes;
  std::memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.sample_period = static_cast<uint64_t>(period_ns_);
  attributes.wakeup_events = 1;
  attributes.disabled = 1;
  attributes.exclude_kernel = may_see_kernel_ ? 0 : 1;
  attributes.exclude_hv = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, os_id, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

// CPU time that the thread had used before is none of the recording's.
void CpuClock::forget_past(ThreadRecord& record) {
  record.cpu_seen_ns.store(cpu_ns_of(record), std::memory_order_relaxed);
  record.cpu_owed_ns = 0;
}

bool CpuClock::start(ThreadRecord& record) const {
  assert(record.perf_fd < 0 && !record.has_timer && "a thread has one clock: the one before is stopped first");
  forget_past(record);
  if (has_spare_ && blocks_signal(record.os_id.load(std::memory_order_relaxed), signal_))
    return start_timer(record, kSpareClockSignal);
  return (uses_perf_ && start_perf(record)) || start_timer(record, signal_);  // few descriptors left: it needs none
}

bool CpuClock::start_perf(ThreadRecord& record) const {
  const int32_t os_id = record.os_id.load(std::memory_order_relaxed);
  const int fd = open_perf(os_id);
  if (fd < 0) return false;
  if (fd > most_descriptors()) {
    close(fd);
    return false;
  }
  const f_owner_ex owner{F_OWNER_TID, os_id};
  const bool ready = fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) == 0 && fcntl(fd, F_SETSIG, signal_) == 0 &&
                     fcntl(fd, F_SETOWN_EX, &owner) == 0 && ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0;
  if (!ready) {
    close(fd);
    return false;
  }
  record.perf_fd = fd;
  record.clock_signal = signal_;
  return true;
}

bool CpuClock::start_timer(ThreadRecord& record, int signal) const {
  const int32_t os_id = record.os_id.load(std::memory_order_relaxed);
  sigevent event;
  std::memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event.sigev_notify_thread_id = os_id;
  timer_t timer;
  if (timer_create(cpu_clock_of(os_id), &event, &timer) != 0) return false;
  const itimerspec spec{timespec_of(period_ns_), timespec_of(period_ns_)};
  if (timer_settime(timer, 0, &spec, nullptr) != 0) {
    timer_delete(timer);
    return false;
  }
  record.timer = timer;
  record.has_timer = true;
  record.clock_signal = signal;
  return true;
}

void CpuClock::stop(ThreadRecord& record) const {
  if (record.perf_fd >= 0) close(record.perf_fd);
  if (record.has_timer) timer_delete(static_cast<timer_t>(record.timer));
  record.perf_fd = -1;
  record.has_timer = false;
}

uint64_t CpuClock::missed_ticks(ThreadRecord& record, int64_t least_ns) const {
  int64_t seen = record.cpu_seen_ns.load(std::memory_order_relaxed);
  const int64_t unseen = cpu_ns_of(record) - seen;
  if (unseen < least_ns || !blocks_signal(record.os_id.load(std::memory_order_relaxed), record.clock_signal)) return 0;
  const int64_t ticks = unseen / period_ns_;
  const bool still_unseen =  // a tick may have come through after all
      record.cpu_seen_ns.compare_exchange_strong(seen, seen + ticks * period_ns_, std::memory_order_relaxed);
  return still_unseen ? static_cast<uint64_t>(ticks) : 0;
}

int64_t CpuClock::thread_cpu_ns() { return base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace rec::agent
