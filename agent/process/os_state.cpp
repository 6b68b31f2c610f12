// SPDX-License-Identifier: Apache-2.0
#include "agent/process/os_state.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/file_io.h"

namespace rec::agent {
namespace {

// Fields of proc(5)'s stat, counted from the one behind the name's parenthesis, which is the third.
constexpr int kState = 0, kMajorFaults = 9, kUserTime = 11, kSystemTime = 12, kNice = 16, kStartTime = 19,
              kProcessor = 36;

std::string_view next_word(std::string_view& text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return text = {}, text;
  const size_t end = std::min(text.find(' ', begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

int64_t number(std::string_view word) {
  int64_t value = -1;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

uint64_t hexadecimal(std::string_view word) {
  uint64_t value = 0;
  if (word.starts_with("0x")) std::from_chars(word.data() + 2, word.data() + word.size(), value, 16);
  return value;
}

const char* policy_name(int policy) {
  switch (policy & ~SCHED_RESET_ON_FORK) {
    case SCHED_OTHER: return "SCHED_OTHER";
    case SCHED_FIFO: return "SCHED_FIFO";
    case SCHED_RR: return "SCHED_RR";
    case SCHED_BATCH: return "SCHED_BATCH";
    case SCHED_IDLE: return "SCHED_IDLE";
    case 6: return "SCHED_DEADLINE";
    default: return "";
  }
}

// Of a task's `status`, whose lines are "Key:\tvalue".
std::string_view status_value(std::string_view status, std::string_view key) {
  const size_t at = status.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view line = status.substr(at + key.size());
  const size_t begin = line.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : line.substr(begin, line.find('\n') - begin);
}

// Of schedstat (Documentation/scheduler/sched-stats.rst): time on a processor, time waiting for one, times that it had one.
constexpr int kRunDelay = 1, kTimesRun = 2;

std::string schedstat(TaskDirectory& tasks, int32_t os_id, int field) {
  std::string_view text = tasks.read(os_id, "schedstat");
  for (int skip = 0; skip < field; ++skip) next_word(text);
  return std::string(next_word(text));
}

}  // namespace

bool parse_stat(std::string_view text, int64_t now_ns, int64_t ticks_per_second, OsState& state) {
  const size_t name_end = text.rfind(')');  // a name may hold anything, this one too
  if (name_end == std::string_view::npos || ticks_per_second <= 0) return false;
  text.remove_prefix(name_end + 1);
  const int64_t tick_ns = 1'000'000'000 / ticks_per_second;
  int64_t cpu_ticks = 0;
  for (int field = 0; field <= kProcessor; ++field) {
    const std::string_view word = next_word(text);
    if (word.empty()) return false;
    if (field == kState) state.state = word.front();
    if (field == kMajorFaults) state.major_faults = number(word);
    if (field == kUserTime || field == kSystemTime) cpu_ticks += number(word);
    if (field == kUserTime) state.user_ns = number(word) * tick_ns;
    if (field == kNice) state.nice = static_cast<int>(number(word));
    if (field == kStartTime) state.elapsed_ns = now_ns - number(word) * tick_ns;
    if (field == kProcessor) state.last_cpu = static_cast<int>(number(word));
  }
  state.cpu_ns = cpu_ticks * tick_ns;
  return true;
}

std::string_view name_in_stat(std::string_view text) {
  const size_t begin = text.find('('), end = text.rfind(')');
  return begin == std::string_view::npos || end == std::string_view::npos ? std::string_view()
                                                                          : text.substr(begin + 1, end - begin - 1);
}

void parse_syscall(std::string_view text, OsState& state) {
  if (text == "running") state.state = 'R';
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), state.system_call);
  if (error != std::errc()) return;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  std::string_view rest = text, before, last;
  if (state.system_call >= 0) state.argument = hexadecimal(next_word(rest));
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    before = last;
    last = word;
  }
  state.sp = hexadecimal(before);
  state.pc = hexadecimal(last);
}

TaskDirectory::TaskDirectory() : directory_(open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

// Small files of /proc come in one piece.
std::string_view TaskDirectory::read(int32_t os_id, const char* name) {
  char path[64];
  std::snprintf(path, sizeof path, "%d/%s", os_id, name);
  const base::Descriptor file(directory_ ? openat(directory_.fd(), path, O_RDONLY | O_CLOEXEC) : -1);
  if (!file) return {};
  const ssize_t size = base::read_some(file.fd(), text_, sizeof text_);
  std::string_view text(text_, size < 0 ? 0 : static_cast<size_t>(size));
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

std::vector<int32_t> TaskDirectory::all() const {
  std::vector<int32_t> found;
  const int fd = directory_ ? openat(directory_.fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  DIR* directory = fd < 0 ? nullptr : fdopendir(fd);
  if (directory == nullptr) return found;
  while (const dirent* entry = readdir(directory))
    if (entry->d_name[0] != '.') found.push_back(static_cast<int32_t>(std::atoi(entry->d_name)));
  closedir(directory);
  return found;
}

// Each thread is a directory of its own: a link to this one, beside its two (fs/proc/base.c, proc_task_getattr()).
size_t TaskDirectory::count() const {
  constexpr nlink_t kOwnLinks = 2;
  struct stat info;
  const bool known = directory_ && fstat(directory_.fd(), &info) == 0 && info.st_nlink > kOwnLinks;
  return known ? info.st_nlink - kOwnLinks : 0;
}

bool read_stat(TaskDirectory& tasks, int32_t os_id, OsState& state, std::string* name) {
  static const int64_t ticks_per_second = sysconf(_SC_CLK_TCK);
  const std::string_view text = tasks.read(os_id, "stat");
  if (name != nullptr) *name = name_in_stat(text);
  return parse_stat(text, base::since_boot_ns(), ticks_per_second, state);
}

void read_system_call(TaskDirectory& tasks, int32_t os_id, OsState& state) {
  parse_syscall(tasks.read(os_id, "syscall"), state);
}

void read_wchan(TaskDirectory& tasks, int32_t os_id, OsState& state) {
  const std::string_view wchan = tasks.read(os_id, "wchan");
  if (wchan != "0") state.wchan = wchan;
}

OsState read_os_state(int32_t os_id) {
  OsState state;
  TaskDirectory tasks;
  if (!read_stat(tasks, os_id, state) || state.state == 'R') return state;
  read_wchan(tasks, os_id, state);
  read_system_call(tasks, os_id, state);
  return state;
}

OsTraits read_os_traits(int32_t os_id) {
  OsTraits traits;
  if (const int policy = sched_getscheduler(os_id); policy >= 0) traits.policy = policy_name(policy);
  traits.allowed_cpus = status_value(TaskDirectory().read(os_id, "status"), "\nCpus_allowed:");
  return traits;
}

uint64_t parse_blocked(std::string_view text) {
  const std::string_view mask = status_value(text, "\nSigBlk:");
  uint64_t blocked = 0;
  std::from_chars(mask.data(), mask.data() + mask.size(), blocked, 16);
  return blocked;
}

bool blocks_signal(int32_t os_id, int signal) {
  if (os_id == gettid()) {  // one system call, for each thread that starts
    sigset_t blocked;
    return pthread_sigmask(SIG_SETMASK, nullptr, &blocked) == 0 && sigismember(&blocked, signal) == 1;
  }
  return (parse_blocked(TaskDirectory().read(os_id, "status")) >> (signal - 1) & 1) != 0;
}

// The kernel numbers a thread's CPU clock by its id: CPUCLOCK_SCHED (2) of a thread (4) (include/linux/posix-timers.h).
int64_t task_cpu_ns(int32_t os_id) {
  const auto clock = static_cast<clockid_t>(~static_cast<uint32_t>(os_id) << 3 | 4 | 2);
  timespec used{};
  return clock_gettime(clock, &used) == 0 ? base::to_ns(used) : -1;
}

// In ticks, two readings of one's own are the same, or milliseconds apart.
bool task_clock_is_exact() {
  constexpr int64_t kFarApartNs = 500'000;
  static const bool exact = [] {
    const int32_t self = gettid();
    for (int tries = 0; tries < 3; ++tries) {
      const int64_t before = task_cpu_ns(self), after = task_cpu_ns(self);
      if (before < 0 || after <= before) return false;
      if (after - before < kFarApartNs) return true;
    }
    return false;
  }();
  return exact;
}

uint64_t times_on_processor(int32_t os_id) {
  TaskDirectory tasks;
  return static_cast<uint64_t>(number(schedstat(tasks, os_id, kTimesRun)));
}

int64_t run_delay_ns(int32_t os_id) {
  TaskDirectory tasks;
  return run_delay_ns(tasks, os_id);
}

int64_t run_delay_ns(TaskDirectory& tasks, int32_t os_id) {
  const std::string text = schedstat(tasks, os_id, kRunDelay);
  return text.empty() ? -1 : number(text);
}

std::optional<Switches> switches_of(TaskDirectory& tasks, int32_t os_id) {
  const std::string_view status = tasks.read(os_id, "status");
  const std::string voluntary(status_value(status, "\nvoluntary_ctxt_switches:")),
      preempted(status_value(status, "\nnonvoluntary_ctxt_switches:"));
  if (voluntary.empty() || preempted.empty()) return {};
  return Switches{number(voluntary), number(preempted)};
}

std::string os_thread_name(int32_t os_id) { return std::string(TaskDirectory().read(os_id, "comm")); }

int32_t os_thread_named(const char* name) {
  TaskDirectory tasks;
  for (const int32_t os_id : tasks.all())
    if (tasks.read(os_id, "comm") == name) return os_id;
  return 0;
}

}  // namespace rec::agent
