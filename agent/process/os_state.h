// SPDX-License-Identifier: Apache-2.0
// What the system knows of a thread of this process, from /proc/self/task/TID and a few calls. Ordinary threads; some
// 10 us a file. What cannot be read, and all of a thread that has gone, stays as OsState has it: not known. Needs no JVM.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/kept_descriptor.h"

namespace rec::agent {

inline constexpr int kSystemCallUnknown = -2, kNoSystemCall = -1;

// What changes while one looks.
struct OsState {
  char state = 0;                        // R S D T t Z X as in proc(5); 0: not known
  int system_call = kSystemCallUnknown;  // the number of the one that it sleeps in
  uint64_t argument = 0;                 // its first
  std::string wchan;  // the kernel function it sleeps in; empty: it runs, or the kernel does not tell
  int last_cpu = -1;
  std::optional<int> nice;  // os_prio of HotSpot's dumps
  int64_t cpu_ns = -1;
  int64_t user_ns = -1;       // of these: in its own code; by the tick
  int64_t elapsed_ns = -1;    // since it started
  int64_t major_faults = -1;  // pages that it had to wait for, in its life
  uint64_t pc = 0, sp = 0;    // of a thread inside a system call; 0: not known
};
OsState read_os_state(int32_t os_id);

// The files of this process' threads, for those who read many. It holds a descriptor.
class TaskDirectory {
 public:
  TaskDirectory();
  // The text of a file, whole if it is short (4 KiB), until the next one is read; empty: the thread has gone.
  std::string_view read(int32_t os_id, const char* file);
  std::vector<int32_t> all() const;  // empty: /proc cannot be read
  size_t count() const;              // of all(), for next to nothing; 0: likewise

 private:
  base::KeptDescriptor directory_;
  char text_[4096];
};

// One file each. stat: name, state, nice, elapsed_ns, last_cpu, cpu_ns and user_ns by the tick; the rest stays. False: it
// has gone.
bool read_stat(TaskDirectory& tasks, int32_t os_id, OsState& state, std::string* name = nullptr);
// syscall: state if it runs, system_call, argument, pc and sp. A thread that sleeps outside of system calls waits for a page.
void read_system_call(TaskDirectory& tasks, int32_t os_id, OsState& state);
// wchan.
void read_wchan(TaskDirectory& tasks, int32_t os_id, OsState& state);

// What does not, as a rule.
struct OsTraits {
  std::string policy;        // SCHED_OTHER, SCHED_FIFO, ...
  std::string allowed_cpus;  // mask in hex, as the kernel writes it
};
OsTraits read_os_traits(int32_t os_id);

// Whether it blocks the signal. False, too: it has gone, or /proc cannot be read.
bool blocks_signal(int32_t os_id, int signal);

// CPU time of its life, exact where OsState has ticks; -1: it has gone, or there is no such clock. A system call and no
// file.
int64_t task_cpu_ns(int32_t os_id);
// Whether that clock counts each nanosecond, so that it proves by standing still that a thread has not run. Not on
// machines whose scheduler counts in ticks.
bool task_clock_is_exact();

// How often it has come to a processor in its life; 0: not known.
uint64_t times_on_processor(int32_t os_id);
// For how long it was ready to run in its life and had no processor; -1: not known.
int64_t run_delay_ns(int32_t os_id);
int64_t run_delay_ns(TaskDirectory& tasks, int32_t os_id);

// How often a thread has left its processor, of its own will (to wait) and because another one was to have it; nothing: it has gone.
struct Switches {
  int64_t voluntary = 0, preempted = 0;
};
std::optional<Switches> switches_of(TaskDirectory& tasks, int32_t os_id);

std::string os_thread_name(int32_t os_id);  // at most 15 bytes
int32_t os_thread_named(const char* name);  // the first of that name; 0: none

// The text of a task's `stat`; since_boot_ns: now.
bool parse_stat(std::string_view text, int64_t since_boot_ns, int64_t ticks_per_second, OsState& state);
std::string_view name_in_stat(std::string_view text);
// The text of a task's `status`: the signals that it blocks, signal n in bit n - 1.
uint64_t parse_blocked(std::string_view text);
// The text of a task's `syscall`: "running", or numbers, the last two of which are sp and pc.
void parse_syscall(std::string_view text, OsState& state);

}  // namespace rec::agent
