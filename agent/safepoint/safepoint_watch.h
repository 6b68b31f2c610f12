// SPDX-License-Identifier: Apache-2.0
// SafepointWatch is a thread of ours that notices when a safepoint was asked for and is not reached, finds the threads
// that it waits for, asks them where they are, and writes it down. See docs/safepoints.md.
//
//            requested moves                threshold                     sync time moves
//   [quiet] -----------------> [requested] -----------> [watching threads] ---------------> [stopped]
//      ^                            | sync time moves                                           | stopped time moves
//      +----------------------------+-----------------------------------------------------------+
//
// Without the JVM's counters (-XX:-UsePerfData) the poll words of a few threads stand for them. Handshakes of single
// threads are found by the poll words of some threads at each look, in turn. What belongs to the process (the signal,
// its slots) is here; the thread's own work is a StallFinder.
#pragma once

#include <jni.h>

#include <cstdint>
#include <vector>

#include "agent/process/housekeeper.h"
#include "agent/safepoint/settings.h"
#include "agent/safepoint/stack_requests.h"

namespace rec::agent {

class SafepointWatch {
 public:
  SafepointWatch(const VmCode& vm, ThreadRegistry& threads, const Sampler& sampler);

  // Ordinary threads, one at a time. Says in one line why nothing is watched, if so.
  // The calling thread is java_thread.
  void start(const SafepointSettings& settings, JNIEnv* jni, uint64_t java_thread);
  // Lets it look once more, and waits a moment for that: what is found later finds no recording.
  void stop();

  StackRequests& requests() { return requests_; }  // by which others may ask threads where they are, too

 private:
  const VmCode& vm_;
  ThreadRegistry& threads_;
  StackRequests requests_;
  std::vector<uint32_t> critical_slots_;  // once it is found
  Housekeeper thread_;
};

}  // namespace rec::agent
