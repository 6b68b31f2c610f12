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

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <climits>
#include <cstring>

#include "agent/process/os_state.h"
#include "agent/sampling/task_clock.h"
#include "base/clock.h"

// Older C libraries do not name the thread member (sigevent(7)).
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace rec::agent {
namespace {

constexpr int64_t kLeastFirstNs = 200'000;  // a tick costs up to 75 us: nearer ones would leave the thread no time
constexpr int64_t kEachTickNs = 1'000;      // a timer that is always due ticks with each of the kernel's ticks
constexpr int kMaxWaits = 100;              // of 0.1 ms, for a handler

// Phases of threads that start one after another lie as far apart as can be: multiples of the golden ratio. Each is
// uniform, and together they are more even than chance.
constexpr uint64_t kNextPhase = 0x9E3779B97F4A7C15u;

// Our timers carry it: another copy of this library has another one.
constexpr char kMark = 0;

// The CPU clock of any thread of this process, as the kernel encodes it (include/linux/posix-timers.h: CPUCLOCK_SCHED,
// per thread).
clockid_t cpu_clock_of(int32_t os_id) { return static_cast<clockid_t>(~static_cast<uint32_t>(os_id) << 3 | 6u); }

// A clock takes a descriptor a thread, and the application needs some too: ours may be among the first half of what the
// process may have, and a quarter of it in all.
constexpr int kLowHalf = 2, kOurQuarter = 4;
std::atomic<int> descriptors{0};

int share_of_descriptors(int part) {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < INT_MAX ? static_cast<int>(limit.rlim_cur) / part
                                                                           : INT_MAX;
}

timespec timespec_of(int64_t ns) { return {ns / base::kSecond_ns, ns % base::kSecond_ns}; }

bool raises_signal(int fd, int signal, int32_t os_id) {
  const f_owner_ex owner{F_OWNER_TID, os_id};
  return fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) == 0 && fcntl(fd, F_SETSIG, signal) == 0 &&
         fcntl(fd, F_SETOWN_EX, &owner) == 0;
}

}  // namespace

CpuClock::CpuClock(int signal, bool has_spare, const ClockChoice& choice)
    : signal_(signal),
      has_spare_(has_spare),
      choice_(choice),
      phase_(static_cast<uint64_t>(base::now_unix_ns()) * kNextPhase * kNextPhase) {}

bool CpuClock::start(ThreadRecord& record, CountFrom from) const {
  assert(record.perf_fd < 0 && !record.has_timer && "a thread has one clock: the one before is stopped first");
  if (start_any(record, from)) return true;
  open_account(record, 0, from);
  return false;
}

// Where few descriptors are left, a timer needs none; where no timer can be made, perf may do.
bool CpuClock::start_any(ThreadRecord& record, CountFrom from) const {
  if (has_spare_ && blocks_signal(record.os_id.load(std::memory_order_relaxed), signal_))
    return start_timer(record, kSpareClockSignal, from);
  if (choice_.uses_perf && start_perf(record, from, choice_.sees_kernel)) return true;
  if (start_timer(record, signal_, from)) return true;
  const int refused = errno;
  if (!choice_.uses_perf && start_perf(record, from, true)) return true;
  errno = refused;
  return false;
}

// Of a thread that has just begun, what it took to come here counts, too.
FirstTick CpuClock::open_account(ThreadRecord& record, int64_t tick_ns, CountFrom from) const {
  const uint64_t phase = phase_.fetch_add(kNextPhase, std::memory_order_relaxed);
  FirstTick first = first_tick(phase, choice_.period_ns, tick_ns);
  const int64_t now_ns = cpu_ns(record), from_ns = from == CountFrom::kBirth ? 0 : now_ns;
  record.account.open(from_ns, now_ns, first);
  first.after_ns = std::max<int64_t>(first.after_ns - (now_ns - from_ns), 1);
  return first;
}

bool CpuClock::start_perf(ThreadRecord& record, CountFrom from, bool sees_kernel) const {
  const int32_t os_id = record.os_id.load(std::memory_order_relaxed);
  const FirstTick first = open_account(record, 0, from);
  if (descriptors.load(std::memory_order_relaxed) >= share_of_descriptors(kOurQuarter)) return false;
  const int fd = open_task_clock(os_id, std::max(first.after_ns, kLeastFirstNs), sees_kernel, choice_.tells_kernel);
  if (fd < 0) return false;
  if (fd > share_of_descriptors(kLowHalf) || !raises_signal(fd, signal_, os_id) || !task_clock_id(fd, record.perf_id)) {
    close(fd);
    return false;
  }
  if (choice_.tells_kernel) record.kernel_chain.map(fd);
  record.clock_signal = signal_;
  record.perf_fd.store(fd, std::memory_order_relaxed);
  descriptors.fetch_add(1, std::memory_order_relaxed);
  // release: pairs with the exchange in go_on(): the descriptor is there.
  record.clock_state.store(ClockState::kFirst, std::memory_order_release);
  if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0) return true;
  stop(record);
  return false;
}

bool CpuClock::start_timer(ThreadRecord& record) const { return start_timer(record, signal_, CountFrom::kNow); }

bool CpuClock::start_timer(ThreadRecord& record, int signal, CountFrom from) const {
  const int32_t os_id = record.os_id.load(std::memory_order_relaxed);
  sigevent event;
  std::memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event.sigev_value.sival_ptr = const_cast<char*>(&kMark);
  event.sigev_notify_thread_id = os_id;
  timer_t timer;
  if (timer_create(cpu_clock_of(os_id), &event, &timer) != 0) return refused("timer_create");
  const FirstTick first = open_account(record, choice_.tick_ns, from);
  record.timer = timer;
  record.clock_signal = signal;
  // release: pairs with the exchange in go_on(): the timer is there.
  record.clock_state.store(ClockState::kFirst, std::memory_order_release);
  const itimerspec spec{timespec_of(kEachTickNs), timespec_of(first.after_ns)};
  record.has_timer = timer_settime(timer, 0, &spec, nullptr) == 0;
  if (record.has_timer) return true;
  const int why = errno;
  timer_delete(timer);
  errno = why;
  return refused("timer_settime");
}

bool CpuClock::refused(const char* call) const {
  refused_call_.store(call, std::memory_order_relaxed);
  return false;
}

bool CpuClock::is_closed(const ThreadRecord& record) {
  const int fd = record.perf_fd.load(std::memory_order_relaxed);
  return fd >= 0 && !is_task_clock(fd, record.perf_id);
}

void CpuClock::go_on(ThreadRecord& record, int64_t period_ns) {
  ClockState state = ClockState::kFirst;
  if (record.clock_state.load(std::memory_order_relaxed) != state || record.account.counts_ticks()) return;
  // acq_rel: pairs with the releases of start, and with the exchange in stop(): one of the two gets the state.
  if (!record.clock_state.compare_exchange_strong(state, ClockState::kChanging, std::memory_order_acq_rel)) return;
  if (const int fd = record.perf_fd.load(std::memory_order_relaxed); fd >= 0) {
    auto period = static_cast<uint64_t>(period_ns);
    syscall(SYS_ioctl, fd, PERF_EVENT_IOC_PERIOD, &period);
  } else {
    const itimerspec spec{timespec_of(period_ns), timespec_of(record.account.next_ns(period_ns))};
    timer_settime(static_cast<timer_t>(record.timer), TIMER_ABSTIME, &spec, nullptr);
  }
  // release: pairs with the exchange in stop(): descriptor and timer are not used any more.
  record.clock_state.store(ClockState::kSteady, std::memory_order_release);
}

// False: the thread's handler holds its clock, for longer than it should.
bool CpuClock::take_from_handler(ThreadRecord& record) {
  for (int waits = 0; waits < kMaxWaits; ++waits) {
    // acquire, and acq_rel below: pairs with the exchange and the release in go_on().
    ClockState state = record.clock_state.load(std::memory_order_acquire);
    if (state != ClockState::kChanging &&
        record.clock_state.compare_exchange_strong(state, ClockState::kStopped, std::memory_order_acq_rel))
      return true;
    usleep(100);
  }
  return false;
}

// What its handler holds stays: nothing else must get its number meanwhile.
void CpuClock::stop(ThreadRecord& record) const {
  const int fd = record.perf_fd.load(std::memory_order_relaxed);
  if ((fd >= 0 || record.has_timer) && take_from_handler(record)) {
    record.kernel_chain.unmap();
    if (fd >= 0 && is_task_clock(fd, record.perf_id)) close(fd);
    if (record.has_timer) timer_delete(static_cast<timer_t>(record.timer));
  }
  if (fd >= 0) descriptors.fetch_sub(1, std::memory_order_relaxed);
  record.perf_fd.store(-1, std::memory_order_relaxed);
  record.has_timer = false;
}

uint64_t CpuClock::missed_ticks(ThreadRecord& record, int64_t least_ns) const {
  std::atomic<int64_t>& seen_ns = record.account.seen_ns;
  int64_t seen = seen_ns.load(std::memory_order_relaxed);
  const int64_t unseen = cpu_ns(record) - seen;
  if (unseen < least_ns || !blocks_signal(record.os_id.load(std::memory_order_relaxed), record.clock_signal)) return 0;
  const int64_t ticks = unseen / choice_.period_ns;
  const bool still_unseen =  // a tick may have come through after all
      seen_ns.compare_exchange_strong(seen, seen + ticks * choice_.period_ns, std::memory_order_relaxed);
  return still_unseen ? static_cast<uint64_t>(ticks) : 0;
}

uint64_t CpuClock::due_without_clock(ThreadRecord& record) const {
  CpuAccount& account = record.account;
  const int64_t now_ns = cpu_ns(record);
  if (now_ns < account.seen_ns.load(std::memory_order_relaxed)) return 0;  // it has gone
  account.owed_ns += now_ns - account.seen_ns.exchange(now_ns, std::memory_order_relaxed);
  const int64_t due = std::max<int64_t>(account.owed_ns / choice_.period_ns, 0);
  account.owed_ns -= due * choice_.period_ns;
  return static_cast<uint64_t>(due);
}

uint64_t CpuClock::worth(int64_t cpu_ns) const {
  const uint64_t phase = phase_.fetch_add(kNextPhase, std::memory_order_relaxed);
  const FirstTick first = first_tick(phase, choice_.period_ns, 0);
  return static_cast<uint64_t>((first.used_ns + cpu_ns) / choice_.period_ns);
}

// perf raises our signal as if a descriptor were ready.
bool CpuClock::is_tick(const siginfo_t& info) {
  if (info.si_code == SI_TIMER) return info.si_value.sival_ptr == &kMark;
  return info.si_code >= POLL_IN && info.si_code <= POLL_HUP;
}

bool CpuClock::is_of(const siginfo_t& info, const ThreadRecord& record) {
  return info.si_code == SI_TIMER || info.si_fd == record.perf_fd.load(std::memory_order_relaxed);
}

int64_t CpuClock::cpu_ns(const ThreadRecord& record) {
  return base::read_clock_ns(cpu_clock_of(record.os_id.load(std::memory_order_relaxed)));
}

// By the system call itself: C libraries do not promise that theirs may be called in a handler.
int64_t CpuClock::thread_switches() {
  rusage usage;
  if (syscall(SYS_getrusage, RUSAGE_THREAD, &usage) != 0) return -1;
  return usage.ru_nvcsw + usage.ru_nivcsw;
}

int64_t CpuClock::thread_cpu_ns() { return base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace rec::agent
