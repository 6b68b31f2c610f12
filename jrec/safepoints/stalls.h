// SPDX-License-Identifier: Apache-2.0
// Stalls are the safepoints, and handshakes, that a recording of rec says were reached late, put together from their
// events: rec.TimeToSafepoint, the rec.LateToSafepoint of its threads, the rec.LateStack of each.
//
// Events are joined by safepointId and the id of the system's thread. Parts whose others are missing (a recording that
// was cut) are kept and said to be parts. Times are ns: since the Unix epoch, or spans; -1: not known. Texts that are
// empty: not known.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jrec/safepoints/event_fields.h"

namespace jrec {

struct LateStackRow {
  int32_t number = 0;
  bool answered = false;
  int64_t sent_ns = 0, answered_ns = 0, waited_ns = 0, cpu_time_ns = -1;
  int32_t last_cpu = -1;
  std::string os_state, wchan, jvm_state;
  std::vector<std::string> frames;  // innermost first
  size_t native = 0;                // of them, above Java's
  std::string java_type;            // of the innermost of Java: Interpreted, JIT compiled, Inlined, Native

  std::span<const std::string> java() const { return java_frames(frames, native); }
};

struct LateThreadRow {
  std::string name;
  int64_t os_id = 0, java_id = 0;
  uint64_t java_thread = 0;  // address in the JVM
  int64_t start_ns = 0, late_ns = 0, error_ns = 0;
  bool known = false;  // has its rec.LateToSafepoint
  bool gave_way = false;
  int32_t java_priority = 0, os_priority = 0, last_cpu = -1, signals_sent = 0, signals_answered = 0;
  int64_t cpu_time_ns = -1, cpu_used_ns = -1, run_delay_ns = -1, major_faults = -1;
  std::string faulted_file;
  std::string policy, allowed_cpus, os_state, wchan, jvm_state, stack_remark;
  std::vector<std::string> where;    // it gave way; innermost first
  size_t where_native = 0;           // of them, above Java's
  std::vector<LateStackRow> stacks;  // by number

  // The stack that tells what held it up, from Java's innermost frame on: the first one that was taken while it did, else
  // where it gave way.
  std::span<const std::string> telling() const;
};

struct Stall {
  int64_t id = 0;
  bool known = false;  // has its rec.TimeToSafepoint
  bool handshake = false, reached = true;
  int64_t start_ns = 0, length_ns = 0, uptime_ns = -1, start_error_ns = 0, length_error_ns = 0, stopped_ns = -1;
  int64_t threads = 0, late = -1, listed = 0;
  int64_t vm_cpu_ns = -1, vm_run_delay_ns = -1, throttled_ns = -1;
  std::string vm_state;
  std::string operation, cause, source, remark;
  std::vector<LateThreadRow> rows;  // the latest first
};

class Stalls {
 public:
  void begin(jfr::read::Chunk& chunk) { begin(jvm_of_recorder(chunk, jvms_)); }
  void begin(uint32_t jvm) { jvm_ = jvm; }                // of the chunk, where somebody knows (jvm_numbers.h)
  void take(std::string_view name, EventFields& fields);  // one event of each_rec_event()
  std::vector<Stall> worst_first() const;

 private:
  JvmNumbers jvms_;
  uint32_t jvm_ = 0;
  std::map<std::pair<uint32_t, int64_t>, Stall> by_id_;
};

}  // namespace jrec
