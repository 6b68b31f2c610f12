// SPDX-License-Identifier: Apache-2.0
// The part of the Dumper that asks the system: CPU time, start, and as much more as is wanted.
#include <unordered_set>

#include "agent/threads/dumper.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

void read_more(TaskDirectory& tasks, DumpedThread& thread, ThreadDetail detail) {
  if (detail != ThreadDetail::kJava) read_system_call(tasks, thread.os_id, thread.os);
  if (detail == ThreadDetail::kSystem && thread.os.state != 'R') read_wchan(tasks, thread.os_id, thread.os);
}

// Its clock has moved since it was looked at.
bool has_run(const DumpedThread& thread) {
  return thread.os.cpu_ns >= 0 && task_cpu_ns(thread.os_id) > thread.os.cpu_ns;
}

}  // namespace

void Dumper::read_system(Candidates& candidates, ThreadDetail detail) {
  TaskDirectory tasks;
  for (Candidate& candidate : candidates) {
    read_java_thread(tasks, candidate, detail);
    dump_.threads.push_back(std::move(candidate.dumped));
  }
  const size_t java_threads = dump_.threads.size();
  if (tasks.count() == java_threads + others_.size() && read_others(tasks, detail)) return;
  dump_.threads.resize(java_threads);
  find_others(tasks);
  read_others(tasks, detail);
}

// Those that Java does not know. They change seldom, and a directory of thousands takes long to read.
void Dumper::find_others(const TaskDirectory& tasks) {
  std::unordered_set<int32_t> known;
  for (const DumpedThread& thread : dump_.threads) known.insert(thread.os_id);
  others_ = tasks.all();
  std::erase_if(others_, [&](int32_t os_id) { return known.contains(os_id); });
}

// False: one of them has ended.
bool Dumper::read_others(TaskDirectory& tasks, ThreadDetail detail) {
  bool all = true;
  for (const int32_t os_id : others_) {
    DumpedThread thread;
    thread.os_id = os_id;
    read_other_thread(tasks, thread, detail);
    if (thread.os.state == 0)
      all = false;
    else
      dump_.threads.push_back(std::move(thread));
  }
  return all;
}

void Dumper::read_java_thread(TaskDirectory& tasks, Candidate& candidate, ThreadDetail detail) const {
  DumpedThread& thread = candidate.dumped;
  KnownThread& known = *candidate.known;
  const int64_t cpu_ns = thread.os.cpu_ns >= 0 ? thread.os.cpu_ns : task_cpu_ns(thread.os_id);
  if (known.started_ns < 0 || detail == ThreadDetail::kSystem) {
    if (read_stat(tasks, thread.os_id, thread.os)) known.started_ns = base::since_boot_ns() - thread.os.elapsed_ns;
    known.nice = thread.os.nice;
    if (detail != ThreadDetail::kSystem) thread.os = {};  // a state that would be missing in the next dump
  }
  thread.os.cpu_ns = cpu_ns;  // exact, where the file has ticks
  if (known.started_ns >= 0) thread.os.elapsed_ns = base::since_boot_ns() - known.started_ns;
  thread.os.nice = known.nice;
  read_more(tasks, thread, detail);
  // Who is blocked runs no code; others may.
  if (thread.vm_state != VmState::kBlocked) thread.on_cpu = thread.on_cpu || thread.os.state == 'R' || has_run(thread);
}

void Dumper::read_other_thread(TaskDirectory& tasks, DumpedThread& thread, ThreadDetail detail) const {
  const int64_t cpu_ns = task_cpu_ns(thread.os_id);
  read_stat(tasks, thread.os_id, thread.os, &thread.name);
  thread.os.cpu_ns = cpu_ns;
  thread.why = "not a thread of Java";
  thread.on_cpu = thread.os.state == 'R';
  read_more(tasks, thread, detail);
}

}  // namespace rec::agent
