// SPDX-License-Identifier: Apache-2.0
// SafepointLog writes what was found to a file for people, in the layout of the log of Azul's Safepoint Profiler, with
// our own words where that has none:
//
//   Detected TTSP issue: start: 31.259 wait: 17.526      uptime in s, length in ms
//   Dumping stack for thread 0x0000440005e00000
//   "Thread-1" id: 30703 prio: 5 os_prio: 0 sched: SCHED_OTHER allowed_cpus: 3
//   lock_release: 31.276                                 where it gave way, and then where it was before
//
// Each safepoint is one write at the file's end. A file that cannot be written is said once. The watcher's thread only.
#pragma once

#include <cstdint>
#include <string>

#include "agent/safepoint/late_threads.h"
#include "recorder/chunk/safepoint_events.h"
#include "recorder/symbols/native_names.h"

namespace rec::agent {

class SafepointLog {
 public:
  // path: a file, "stderr", or empty for no log.
  explicit SafepointLog(std::string path) : path_(std::move(path)) {}

  void write(const TimeToSafepoint& stall, const std::vector<LateThread>& late);

 private:
  std::string seconds(int64_t ticks) const;
  void add_thread(const LateThread& late, std::string& out);
  void add_stack(const StackText& frames, const char* none, std::string& out);
  std::string text_of(const TextFrame& frame);
  void append(const std::string& text);

  const std::string path_;
  int64_t begin_ticks_ = 0;  // where the VM's uptime began; else where the system's did
  bool failed_ = false;
  NativeNames names_;
};

}  // namespace rec::agent
