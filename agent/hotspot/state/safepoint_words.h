// SPDX-License-Identifier: Apache-2.0
// SafepointWords reads where the VM stands with its safepoints, exactly: whether one is asked for and not reached,
// which operation it is for, and when each part of the last one began. Only where libjvm.so has its symbols.
//
//   SafepointSynchronize::_safepoint_counter     +1 when threads are told, +1 when it is over: odd in between
//   SafepointSynchronize::_state                 0 no safepoint, 1 threads are told, 2 all of them stand
//   SafepointTracing::_last_safepoint_*_time_ns  CLOCK_MONOTONIC; 0: not yet. Later ones are cleared when the next begins
//   initial_time_count (os_posix.cpp, os_linux.cpp)  when the VM began
//   SafepointTracing::_current_type              indexes VM_Operation::_names, as the log spells them
//
// Without PerfMemory (-XX:-UsePerfData) the counts are made of these words, as far as somebody looks: the times of
// safepoints that came and went between two looks are not in the sums (SafepointCounts::has_sums).
//
// The counter moves after sun.rt.safepoints does (PerfWords), and both begin at 0: what was asked for and is not over
// is the difference. Source: src/hotspot/share/runtime/safepoint.cpp, vmOperation.cpp. Nothing is locked: words are
// read again until the counters are the same before and after. Ordinary threads.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "agent/hotspot/state/perf_words.h"
#include "agent/hotspot/state/vm_library.h"

namespace rec::agent {

// kUnknown: no symbols. kMoving: the words did not hold still, as while the threads are let go.
enum class SafepointPhase : uint8_t { kUnknown, kMoving, kNone, kPending, kStanding };

// When each part began; 0: it has not, or the VM does not note it (cleanup from 22 on, leaving before 21).
struct SafepointParts {
  int64_t asked = 0, reached = 0, cleaned = 0, leaving = 0, ended = 0;
  int64_t ended_before = 0;  // when the safepoint before was over
};

struct SafepointLook {
  SafepointCounts counts;
  SafepointPhase phase = SafepointPhase::kUnknown;
  // Of safepoint counts.requested, from kNone on.
  SafepointParts parts;
  uint32_t type = 0;                 // of its operation
  uint64_t caller = 0;               // the Thread* that asked for it; 0: nobody, or it is over
  int32_t threads = 0, running = 0;  // not while it is pending
};

class SafepointWords {
 public:
  void open(const VmLibrary& library);
  bool present() const { return state_ != 0; }
  SafepointLook look(const PerfWords& counters);  // absent ones: by count()
  SafepointCounts count();                        // present()
  int64_t vm_begin_ticks() const;                 // from when -Xlog counts its uptime; 0: not known
  std::string operation(uint32_t type);           // empty: not known

 private:
  bool try_look(const PerfWords& counters, SafepointLook& look);
  bool try_count();
  SafepointParts read_parts() const;

  uint64_t counter_ = 0, state_ = 0, names_ = 0, type_ = 0, operation_ = 0, threads_ = 0, running_ = 0;
  uint64_t asked_ = 0, reached_ = 0, cleaned_ = 0, leaving_ = 0, ended_ = 0, apart_ = 0, vm_begin_ = 0;
  int64_t uncounted_ = INT64_MAX;  // safepoints that one counter knows and the other does not
  std::map<uint32_t, std::string> known_names_;
  SafepointCounts own_{.has_sums = false};         // as they were at the last count()
  uint64_t summed_reached_ = 0, summed_over_ = 0;  // the last safepoints whose times are in the sums
};

}  // namespace rec::agent
