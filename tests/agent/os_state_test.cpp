// SPDX-License-Identifier: Apache-2.0
#include "agent/process/os_state.h"

#include <doctest/doctest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "agent/process/standing_place.h"
#include "agent/process/system_calls.h"

using namespace rec::agent;

namespace {

// A thread that reads from a pipe for as long as this lives.
class Sleeper {
 public:
  Sleeper() {
    if (pipe(ends_) != 0) std::abort();
    thread_ = std::thread([this] {
      pthread_setname_np(pthread_self(), "a (sleepy) one");
      os_id_ = gettid();
      char byte = 0;
      while (::read(ends_[0], &byte, 1) == 1) {
      }
    });
    while (os_id_ == 0 || state().system_call != SYS_read) std::this_thread::yield();
  }
  ~Sleeper() {
    close(ends_[1]);
    thread_.join();
    close(ends_[0]);
  }
  int32_t os_id() const { return os_id_; }
  void wake() {
    const int64_t before = task_cpu_ns(os_id_);
    if (write(ends_[1], "x", 1) != 1) std::abort();
    while (task_cpu_ns(os_id_) == before || state().system_call != SYS_read) std::this_thread::yield();
  }

 private:
  OsState state() const {
    OsState state;
    TaskDirectory tasks;
    read_system_call(tasks, os_id_, state);
    return state;
  }
  int ends_[2] = {};
  std::atomic<int32_t> os_id_{0};
  std::thread thread_;
};

}  // namespace

TEST_CASE("the files of a thread tell its name, its state and the system call that it sleeps in") {
  Sleeper sleeper;
  TaskDirectory tasks;
  OsState state;
  std::string name;
  REQUIRE(read_stat(tasks, sleeper.os_id(), state, &name));
  CHECK(name == "a (sleepy) one");
  CHECK(state.state == 'S');
  CHECK(state.nice == getpriority(PRIO_PROCESS, 0));
  CHECK(state.elapsed_ns >= 0);
  read_system_call(tasks, sleeper.os_id(), state);
  CHECK(state.system_call == SYS_read);
  CHECK(std::string(system_call_name(state.system_call)) == "read");
  CHECK(state.pc != 0);
  CHECK(state.sp != 0);
  const std::vector<int32_t> all = tasks.all();
  CHECK(std::count(all.begin(), all.end(), sleeper.os_id()) == 1);
  CHECK(std::count(all.begin(), all.end(), gettid()) == 1);
  OsState gone;
  CHECK_FALSE(read_stat(tasks, 0x7ffffff0, gone));
  CHECK(gone.state == 0);
}

TEST_CASE("who sleeps in a system call is told from who runs") {
  const Sleeper sleeper;
  TaskDirectory tasks;
  CHECK(sleeps_in_system_call(tasks, sleeper.os_id()));
  std::atomic<int32_t> os_id{0};
  std::atomic<bool> end{false};
  std::thread runner([&] {
    for (os_id = gettid(); !end;) {
    }
  });
  while (os_id == 0) std::this_thread::yield();
  CHECK_FALSE(sleeps_in_system_call(tasks, os_id));
  end = true;
  runner.join();
}

TEST_CASE("threads are counted without their list") {
  TaskDirectory tasks;
  CHECK(tasks.count() == tasks.all().size());
  const Sleeper one, another;
  CHECK(tasks.count() == tasks.all().size());
  CHECK(tasks.count() >= 3);
}

TEST_CASE("a thread that runs is in no system call, and one that waits for a page is not either") {
  OsState state;
  parse_syscall("running", state);
  CHECK(state.state == 'R');
  CHECK(state.system_call == kSystemCallUnknown);
  state = {};
  parse_syscall("-1 0x7ffc0 0x4711", state);
  CHECK(state.system_call == kNoSystemCall);
  CHECK(state.sp == 0x7ffc0);
  CHECK(state.pc == 0x4711);
  state = {};
  parse_syscall("", state);
  CHECK(state.system_call == kSystemCallUnknown);
  CHECK(state.pc == 0);
  CHECK(system_call_name(100'000) == nullptr);
}

TEST_CASE("a system call is told with its first argument: of futex, the address that a thread sleeps on") {
  OsState state;
  parse_syscall("202 0x7f00aa10 0x189 0x0 0x0 0x0 0xffffffff 0x7ffc0 0x4711", state);
  CHECK(state.system_call == SYS_futex);
  CHECK(state.argument == 0x7f00aa10);
  CHECK(state.sp == 0x7ffc0);
  CHECK(state.pc == 0x4711);
  state = {};
  parse_syscall("-1 0x7ffc0 0x4711", state);  // outside of system calls there is none
  CHECK(state.argument == 0);
}

TEST_CASE("where the clock of a thread is exact, it stands as long as the thread sleeps, and moves when it has run") {
  if (!task_clock_is_exact()) return;
  Sleeper sleeper;
  for (int i = 0; i < 20; ++i) {
    const int64_t before = task_cpu_ns(sleeper.os_id());
    usleep(1000);
    CHECK(task_cpu_ns(sleeper.os_id()) == before);
    sleeper.wake();
    CHECK(task_cpu_ns(sleeper.os_id()) > before);
  }
}

TEST_CASE("a thread that shares a CPU with another one waits for it, and has had pages") {
  const int64_t before = run_delay_ns(gettid());
  if (before < 0) return;  // the kernel counts no delays
  cpu_set_t all, one;
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all) && CPU_COUNT(&one) == 0) CPU_SET(cpu, &one);
  std::atomic<bool> over{false};
  std::thread other([&] {
    sched_setaffinity(0, sizeof one, &one);
    while (!over.load()) {
    }
  });
  sched_setaffinity(0, sizeof one, &one);
  while (run_delay_ns(gettid()) < before + 10'000'000) {
  }
  over = true;
  other.join();
  sched_setaffinity(0, sizeof all, &all);
  TaskDirectory tasks;
  OsState state;
  REQUIRE(read_stat(tasks, gettid(), state));
  CHECK(state.major_faults >= 0);
  CHECK(run_delay_ns(1 << 30) == -1);
}
