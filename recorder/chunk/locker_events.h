// SPDX-License-Identifier: Apache-2.0
// What there is to say of a collection that threads inside JNI critical sections held up, and how it becomes events.
// The recorder does not know how it is found out; docs/safepoints.md does.
//
//   LockerStall    rec.GcLockerStall, jdk.GCLocker
//   LockerThread   rec.GcLockerThread                  one for each thread that was inside, or waited
//
// Ticks are those of CLOCK_MONOTONIC, in ns. Texts that are empty are written as null: not known. Ordinary threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recorder/chunk/encoded_event.h"
#include "recorder/epoch/epoch.h"

namespace rec {

struct LockerStall {
  int64_t id = 0;
  int64_t start_ticks = 0, duration_ns = 0;  // until the collection was over
  int64_t start_error_ns = 0;
  int64_t held_ns = kUnknownNs;  // until the last thread had left its section
  int64_t uptime_ns = kUnknownNs;
  int64_t safepoint_id = 0;                      // of the collection that ran then; 0: not known
  std::string operation;                         // what was held up
  std::string collection, cause;                 // what ran when the last thread had left, and why
  int32_t inside = 0, waiting = -1, listed = 0;  // listed: with events of their own. waiting -1: not known
  std::string longest_waiter;
  int64_t longest_wait_ns = kUnknownNs;
  bool over = true;
  std::string remark;
};

struct LockerThread {
  int64_t id = 0;
  int64_t start_ticks = 0, duration_ns = 0, error_ns = 0;
  bool inside = false;
  uint64_t java_thread = 0;  // its address in the JVM
  std::string jvm_state, stack_remark;
};

std::vector<uint8_t> encode_fields(const LockerStall& stall);
std::vector<uint8_t> encode_fields(const LockerThread& thread);

// In the epoch given, which is pinned; with the thread that was inside for longest, and its stack. False: there is no
// room; whoever commits counts that.
bool commit(Epoch& epoch, const LockerStall& stall, Ref<ThreadFact> thread, Ref<StackFact> stack);
bool commit(Epoch& epoch, const LockerThread& event, Ref<ThreadFact> thread, Ref<StackFact> stack);

}  // namespace rec
