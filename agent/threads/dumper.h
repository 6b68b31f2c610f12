// SPDX-License-Identifier: Apache-2.0
// The Dumper takes a ThreadDump without a safepoint and without a handshake.
//
//   who is there (JVMTI) -> each thread from outside -> those in Java by signal -> names, who holds what, deadlocks -> /proc
//
// No thread is stopped or waited for: one that runs Java code is asked by a signal and has kAnswerLimitNs, all together
// have kAskBudgetNs; what did not answer is in the dump without its stack, and the dump says so. Threads that end
// meanwhile are left out; those that start meanwhile are in the next one. The dump is no instant: each thread is whole
// and true to its own moment. A thread that has not run since the dump before is not walked again.
//
// Ordinary threads that Java knows, in the live phase, one at a time.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <span>
#include <string>
#include <vector>

#include "agent/hotspot/state/wait_reader.h"
#include "agent/hotspot/vm/thread_fields.h"
#include "agent/hotspot/walk/outside_walk.h"
#include "agent/options/options.h"
#include "agent/process/os_state.h"
#include "agent/sampling/vm_session.h"
#include "agent/threads/frame_table.h"
#include "agent/threads/known_threads.h"
#include "agent/threads/own_stacks.h"
#include "agent/threads/thread_dump.h"
#include "recorder/symbols/native_names.h"

namespace rec::agent {

inline constexpr int64_t kAnswerLimitNs = 250'000'000;
inline constexpr int64_t kAskBudgetNs = 3'000'000'000;
inline constexpr int kOutsideTries = 16;  // walks of one thread that moves; then it is asked

class Dumper {
 public:
  explicit Dumper(VmSession& session);

  // The session is open. What it gives holds until the next one.
  const ThreadDump& take(JNIEnv* jni, ThreadDetail detail);
  void forget();  // the next one begins anew

 private:
  struct Candidate {
    jthread thread = nullptr;
    DumpedThread dumped;
    KnownThread* known = nullptr;
    OwnerWord owner;
    bool gone = false;
    int slot = -1;  // of own_stacks_
    int64_t asked_ns = 0;
  };
  using Candidates = std::vector<Candidate>;

  void open(JNIEnv* jni);
  void begin();
  void list(JNIEnv* jni, Candidates& candidates);
  bool alive(JNIEnv* jni, const Candidate& candidate) const;

  // Stacks from outside.
  void read_clocks(std::span<Candidate> batch, ThreadDetail detail) const;
  bool take_outside(JNIEnv* jni, Candidate& candidate);
  bool take_standing(JNIEnv* jni, Candidate& candidate);
  bool take_walk(JNIEnv* jni, Candidate& candidate, OutsideWalk::Outcome outcome);
  void read_java_state(JNIEnv* jni, Candidate& candidate) const;
  void add_frames(std::vector<ThreadFrame>& stack);  // of outside_
  uint32_t name(const RawFrame& frame);

  // dumper_signals.cpp: stacks by signal.
  void ask(JNIEnv* jni, std::vector<Candidate*> queue);
  void ask_next(JNIEnv* jni, Candidate& candidate);
  bool look_after(JNIEnv* jni, Candidate& candidate);
  void take_answer(JNIEnv* jni, Candidate& candidate);
  void give_up(JNIEnv* jni, Candidate& candidate, const char* why);
  VmState state_of(const Candidate& candidate) const;

  // dumper_owners.cpp: what needs all threads.
  void find_owners(Candidates& candidates) const;
  void find_deadlocks(JNIEnv* jni, const Candidates& candidates);
  bool still_waits(JNIEnv* jni, const Candidate& candidate) const;

  // dumper_system.cpp: what the system says.
  void read_system(Candidates& candidates, ThreadDetail detail);
  void read_java_thread(TaskDirectory& tasks, Candidate& candidate, ThreadDetail detail) const;
  void find_others(const TaskDirectory& tasks);
  bool read_others(TaskDirectory& tasks, ThreadDetail detail);
  void read_other_thread(TaskDirectory& tasks, DumpedThread& thread, ThreadDetail detail) const;

  VmSession& session_;
  ThreadFields fields_;
  OutsideWalk outside_;
  OwnStacks own_stacks_;
  WaitReader waits_;
  KnownThreads known_;
  std::vector<ThreadFrame> named_;  // the last walk of outside_
  Candidates candidates_;           // none but while a dump is taken: their room stays
  NativeNames native_names_;
  std::vector<int32_t> others_;  // of the dump before: threads that Java does not know
  ThreadDump dump_;
  FrameTable table_{dump_.frames};
  bool opened_ = false;
};

}  // namespace rec::agent
