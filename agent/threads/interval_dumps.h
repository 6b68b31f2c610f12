// SPDX-License-Identifier: Apache-2.0
// IntervalDumps puts a thread dump into the recording each interval, the first one at once: the option threaddump. It
// has a thread of its own, a daemon that Java knows, since the list of threads comes from the VM.
//
// A dump is one jdk.ThreadDump event; one that is longer than kPieceBytes is several with one start time, each with the
// head of a dump and whole threads. The lines of frames, three quarters of it, are in an epoch's spool once
// (recorder/spool/text_parts.h). An event for which the spool has no room is tried again for a second and then lost,
// which is said once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "agent/process/housekeeper.h"
#include "agent/threads/frame_lines.h"
#include "agent/threads/thread_dumps.h"
#include "recorder/spool/text_parts.h"

namespace rec::agent {

class IntervalDumps {
 public:
  static constexpr size_t kPieceBytes = 256u << 10;  // a chunk may be as small as 1 MiB

  IntervalDumps(VmSession& session, ThreadDumps& dumps) : session_(session), dumps_(dumps) {}

  // Ordinary threads, one at a time. Both outlive the thread: stop() tells it and does not wait.
  void start(int64_t interval_ns);  // 0: none
  void stop() { thread_.stop(); }

 private:
  // Of one run, from dump to dump.
  struct Texts {
    FrameLines lines;
    MarkedText piece;
    TextParts parts;
  };
  void run(Housekeeper::Pause& pause, int64_t interval_ns);
  void record(Housekeeper::Pause& pause, JNIEnv* jni, Texts& texts);
  bool commit(Housekeeper::Pause& pause, int64_t ticks, Texts& texts);

  VmSession& session_;
  ThreadDumps& dumps_;
  Housekeeper thread_;
  bool said_ = false;  // its thread only
};

}  // namespace rec::agent
