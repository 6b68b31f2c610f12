// SPDX-License-Identifier: Apache-2.0
// The Dumper takes a ThreadDump without a safepoint and without a handshake.
//
//   who is there (JVMTI) -> each thread from outside -> those in Java by signal -> /proc -> who holds what -> deadlocks
//
// No thread is stopped or waited for: one that runs Java code is asked by a signal and has kAnswerLimitNs, all together
// have kAskBudgetNs; what did not answer is in the dump without its stack, and the dump says so. Threads that end
// meanwhile are left out; those that start meanwhile are in the next one. The dump is no instant: each thread is whole
// and true to its own moment.
//
// Ordinary threads that Java knows, in the live phase, one at a time.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <string>
#include <vector>

#include "agent/hotspot/state/wait_reader.h"
#include "agent/hotspot/vm/thread_fields.h"
#include "agent/hotspot/walk/outside_walk.h"
#include "agent/sampling/vm_session.h"
#include "agent/threads/frame_table.h"
#include "agent/threads/own_stacks.h"
#include "agent/threads/thread_dump.h"

namespace rec::agent {

inline constexpr int64_t kAnswerLimitNs = 250'000'000;
inline constexpr int64_t kAskBudgetNs = 3'000'000'000;
inline constexpr int kOutsideTries = 16;  // walks of one thread that moves; then it is asked

enum class NativeFrames : bool { kNo, kYes };  // of threads in system calls: native_frames.h

class Dumper {
 public:
  explicit Dumper(VmSession& session);

  // The session is open.
  ThreadDump take(JNIEnv* jni, NativeFrames native);

 private:
  struct Candidate {
    jthread thread = nullptr;
    DumpedThread dumped;
    OwnerWord owner;
    bool gone = false;
    int slot = -1;  // of own_stacks_
    int64_t asked_ns = 0;
    int64_t first_cpu_ns = -1;
  };
  using Candidates = std::vector<Candidate>;

  void open(JNIEnv* jni, ThreadDump& dump);
  Candidates list(JNIEnv* jni) const;
  void read_info(JNIEnv* jni, Candidate& candidate) const;
  bool alive(JNIEnv* jni, const Candidate& candidate) const;

  bool take_outside(JNIEnv* jni, Candidate& candidate, FrameTable& table, ThreadDump& dump);
  void read_java_state(JNIEnv* jni, Candidate& candidate) const;
  void add_frames(FrameTable& table, std::span<const RawFrame> raw, std::vector<ThreadFrame>& stack) const;

  void ask(JNIEnv* jni, std::vector<Candidate*> queue, FrameTable& table, ThreadDump& dump);
  bool look_after(JNIEnv* jni, Candidate& candidate, FrameTable& table, ThreadDump& dump);
  void take_answer(JNIEnv* jni, Candidate& candidate, FrameTable& table);
  void give_up(JNIEnv* jni, Candidate& candidate, const char* why, ThreadDump& dump);
  VmState state_of(const Candidate& candidate) const;

  void read_os(Candidates& candidates, ThreadDump& dump) const;
  void find_owners(Candidates& candidates) const;
  void find_deadlocks(JNIEnv* jni, const Candidates& candidates, ThreadDump& dump) const;
  bool still_waits(JNIEnv* jni, const Candidate& candidate) const;

  VmSession& session_;
  ThreadFields fields_;
  OutsideWalk outside_;
  OwnStacks own_stacks_;
  WaitReader waits_;
  bool opened_ = false;
  std::string vm_name_, vm_version_, vm_info_;
};

}  // namespace rec::agent
