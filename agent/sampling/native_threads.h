// SPDX-License-Identifier: Apache-2.0
// NativeThreads finds the threads of the process that Java does not know (collectors, compilers, the VM thread, threads
// of libraries, our own), gives each a clock, and notices when they are gone. Nobody tells of them, so it looks through
// /proc/self/task now and then:
//
//   new since the last look        its CPU time so far is written as samples, then it has a clock
//   known and gone                 its clock is stopped
//   between two looks only         not seen: ThreadClocks counts what is left of the process' CPU time (threadUnseen)
//
// A look at 5,000 threads takes some milliseconds, so looks are as far apart as they are dear: they take a 500th of one
// processor at most. There is none while the process does nothing.
//
// Ordinary threads.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "agent/sampling/thread_clocks.h"
#include "agent/sampling/thread_registry.h"

namespace rec::agent {

class NativeThreads {
 public:
  static constexpr int64_t kLookNs = 250'000'000;  // between two looks, at least

  NativeThreads(ThreadRegistry& threads, ThreadClocks& clocks) : threads_(threads), clocks_(clocks) {}

  void open();   // behind the Java threads: all others that are there. The clocks are open
  void look();   // a housekeeper's, each kLookNs; before open() and after close() nothing
  void close();  // a last look, before the clocks are stopped
  // The calling thread has left Java again: it is one of a library, which comes and goes, and is known from now on.
  void has_left_again();

 private:
  using Stranger = ThreadRegistry::Stranger;

  void look_now(CountFrom from);
  bool waited(Stranger& stranger) const;
  void add(const Stranger& stranger, const std::string& name);
  ThreadRecord* enter(int32_t os_id, const std::string& name);
  void drop_gone(const std::vector<int32_t>& all);

  ThreadRegistry& threads_;
  ThreadClocks& clocks_;
  std::mutex mutex_;  // all below
  bool open_ = false;
  std::vector<Stranger> unnamed_;  // had no name of their own at the last look
  int64_t next_look_ticks_ = 0;
  int64_t process_cpu_ns_ = 0;  // at the last look
};

}  // namespace rec::agent
