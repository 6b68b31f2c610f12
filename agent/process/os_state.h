// SPDX-License-Identifier: Apache-2.0
// What the system knows of a thread of this process, from /proc/self/task/TID and a few calls. Ordinary threads; some
// 20 us a thread. What cannot be read, and all of a thread that has gone, stays as OsState has it: not known. Needs no
// JVM.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rec::agent {

// What changes while one looks.
struct OsState {
  char state = 0;     // R S D T t Z X as in proc(5); 0: not known
  std::string wchan;  // the kernel function it sleeps in; empty: it runs, or the kernel does not tell
  int last_cpu = -1;
  int nice = 0;  // os_prio of HotSpot's dumps
  int64_t cpu_ns = -1;
  int64_t elapsed_ns = -1;  // since it started
  uint64_t pc = 0, sp = 0;  // of a thread inside a system call; 0: not known
};
OsState read_os_state(int32_t os_id);

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

// How often it has come to a processor in its life; 0: not known.
uint64_t times_on_processor(int32_t os_id);

std::vector<int32_t> all_os_threads();      // empty: /proc cannot be read
std::string os_thread_name(int32_t os_id);  // at most 15 bytes
int32_t os_thread_named(const char* name);  // the first of that name; 0: none

// The text of a task's `stat`; since_boot_ns: now.
bool parse_stat(std::string_view text, int64_t since_boot_ns, int64_t ticks_per_second, OsState& state);
// The text of a task's `status`: the signals that it blocks, signal n in bit n - 1.
uint64_t parse_blocked(std::string_view text);
// The text of a task's `syscall`: "running", or numbers, the last two of which are sp and pc.
void parse_syscall(std::string_view text, OsState& state);

}  // namespace rec::agent
