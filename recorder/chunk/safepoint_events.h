// SPDX-License-Identifier: Apache-2.0
// What there is to say of a safepoint that was long, or long in being reached, and how it becomes events. The recorder
// does not know how these things are found out; docs/safepoints.md does.
//
//   TimeToSafepoint   rec.TimeToSafepoint, jdk.SafepointBegin, jdk.SafepointStateSynchronization
//   SafepointStop     rec.SafepointStop, jdk.ExecuteVMOperation, jdk.SafepointEnd; and jdk.SafepointBegin
//   LateToSafepoint   rec.LateToSafepoint, jdk.SafepointLatency                              one a thread
//   LateStack         rec.LateStack                                                          several a thread
//
// Ticks are those of CLOCK_MONOTONIC, in ns. Texts that are empty are written as null: not known. For ordinary threads,
// but for commit(), which a handler may call with fields that somebody has encoded before.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recorder/chunk/encoded_event.h"
#include "recorder/epoch/epoch.h"

namespace rec {

struct TimeToSafepoint {
  int64_t id = 0;  // negative: a handshake
  int64_t start_ticks = 0, duration_ns = 0;
  int64_t start_error_ns = 0, duration_error_ns = 0;
  int64_t uptime_ns = kUnknownNs;   // of the JVM when it was asked for, as its log counts
  int64_t stopped_ns = kUnknownNs;  // how long the threads stood still then
  // Of the thread that carries safepoints out, and of the process, while it was waited for.
  int64_t vm_cpu_ns = kUnknownNs, vm_run_delay_ns = kUnknownNs, throttled_ns = kUnknownNs;
  std::string vm_state;  // of that thread in the system, when it was first looked at
  std::string operation, cause, source, remark;
  int32_t threads = 0, late = -1, listed = 0, running_at_last = 0, looks = 0;
  bool handshake = false;
  bool reached = true;
};

// All of a safepoint that is over, in the parts that the JVM's log has.
struct SafepointStop {
  int64_t id = 0;
  int64_t start_ticks = 0, duration_ns = 0;
  int64_t uptime_ns = kUnknownNs;
  int64_t reaching_ns = kUnknownNs, cleanup_ns = kUnknownNs, at_ns = kUnknownNs, leaving_ns = kUnknownNs;
  std::string operation, cause, caller;
  int32_t threads = -1, running = -1;  // of Java; when it was asked for, still running
  bool begin_is_written = false;       // by a TimeToSafepoint
};

struct LateToSafepoint {
  int64_t id = 0;
  int64_t start_ticks = 0, duration_ns = 0, error_ns = 0;
  bool gave_way = true;
  uint64_t java_thread = 0;  // its address in the JVM
  int32_t java_priority = 0, os_priority = 0, last_cpu = -1;
  int64_t cpu_time_ns = kUnknownNs, cpu_used_ns = kUnknownNs;
  int64_t run_delay_ns = kUnknownNs;  // while it was watched: ready to run, and without a CPU
  int32_t major_faults = -1;          // likewise: pages that it had to wait for
  std::string faulted_file;           // a mapped file that it worked on when it waited for one
  std::string policy, allowed_cpus, os_state, wchan, jvm_state, stack_remark;
  int32_t signals_sent = 0, signals_answered = 0;
};

struct LateStack {
  int64_t id = 0, os_thread_id = 0;
  int32_t number = 0, last_cpu = -1;
  bool answered = false;
  int64_t signal_sent_ticks = 0, waited_ns = 0, cpu_time_ns = kUnknownNs;
  std::string os_state, wchan, jvm_state;
};

// The fields behind JFR's common ones, as bytes of the chunk.
std::vector<uint8_t> encode_fields(const TimeToSafepoint& stall);
std::vector<uint8_t> encode_fields(const SafepointStop& stop);
std::vector<uint8_t> encode_fields(const LateToSafepoint& thread);
std::vector<uint8_t> encode_fields(const LateStack& stack);

// In the epoch given, which is pinned. False: there is no room; whoever commits counts that.
bool commit(Epoch& epoch, const TimeToSafepoint& stall, Ref<ThreadFact> vm_thread);
bool commit(Epoch& epoch, const SafepointStop& stop, Ref<ThreadFact> vm_thread);
bool commit(Epoch& epoch, const LateToSafepoint& late, Ref<ThreadFact> thread, Ref<StackFact> stack);
// Signal-safe.
bool commit_late_stack(Epoch& epoch, int64_t ticks, const uint8_t* fields, uint32_t size, Ref<ThreadFact> thread,
                       Ref<StackFact> stack);

}  // namespace rec
