// SPDX-License-Identifier: Apache-2.0
// StallFinder is the work of the watching thread: from "was one asked for?" to the finished events. Times are
// CLOCK_MONOTONIC.
//
// A request is seen at most a poll late, so it began between two looks; its length, though, is the JVM's own figure,
// from the counter of sync time, and start = end - length. What begins and ends between two looks is still found by
// that counter, without threads. Several within one look are judged together: only when their mean is over the
// threshold something is surely to be said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/hotspot/state/perf_words.h"
#include "agent/hotspot/state/vm_operation.h"
#include "agent/process/housekeeper.h"
#include "agent/safepoint/late_threads.h"
#include "agent/safepoint/safepoint_log.h"

namespace rec::agent {

class StallFinder {
 public:
  StallFinder(const VmCode& vm, ThreadRegistry& threads, StackRequests& requests, const SafepointSettings& settings,
              Housekeeper::Pause& pause);
  void run();  // until the pause says stop

 private:
  // One that was asked for and is not known to be reached.
  struct Request {
    uint64_t number = 0;     // what the JVM's count was when it was asked for
    uint64_t sync_ns = 0;    // what the sync time was before it
    int64_t from_ticks = 0;  // it began after this
    int64_t seen_ticks = 0;  // and before this
    bool certain = true;     // false: it may be over already
    bool doubted = false;    // nothing shows that it is not: who comes next decides
  };
  struct Suspect {  // a thread in Java that is asked to stop, perhaps alone
    ThreadRecord* record;
    int32_t os_id;
    int64_t from_ticks, seen_ticks;
  };

  bool open();
  void note_uptime(int64_t now);
  int64_t pause_ns() const;

  // By the JVM's counters.
  void look_at_counters();
  bool is_pending(const SafepointCounts& counts) const;
  void forget_if_over(const SafepointCounts& counts, int64_t now);
  void settle(const SafepointCounts& counts, int64_t now);
  void watch_request();
  void write_unwatched(const SafepointCounts& counts, int64_t length_ns, int64_t now, std::string remark);
  void wait_for_end(uint64_t number, uint64_t stopped_before_ns, TimeToSafepoint& stall);

  // By poll words.
  void look_at_poll_words();
  bool still_asked(const Suspect& suspect) const;
  bool all_are_armed();
  void watch_handshake(const Suspect& suspect);
  void watch_all(const Suspect& suspect);
  void watch_words(TimeToSafepoint& stall, LateThreads& late, const Suspect& suspect);

  LateThreads::Tools tools() { return {threads_, requests_, frozen_, words_, settings_}; }
  int64_t first_wait_ns() const { return settings_.waits_ns.front(); }
  bool watch(LateThreads& late, const std::function<bool()>& over, const std::function<bool()>& still);
  void finish(TimeToSafepoint& stall, LateThreads& late, int64_t reached_ticks);
  void finish_with(TimeToSafepoint& stall, const std::vector<LateThread>& late);
  void commit(const TimeToSafepoint& stall);

  const VmCode& vm_;
  ThreadRegistry& threads_;
  StackRequests& requests_;
  const SafepointSettings settings_;
  Housekeeper::Pause& pause_;
  PerfWords counters_;
  ThreadWords words_;
  VmOperation operation_;
  FrozenStack frozen_;
  std::optional<SafepointLog> log_;
  int32_t vm_thread_ = 0;

  SafepointCounts seen_;
  int64_t last_look_ = 0;
  bool vm_begin_exact_ = false;
  int64_t vm_begin_ticks_ = INT64_MAX;  // the least that was noted is the nearest: notes are old when they are read
  std::optional<Request> request_;
  std::vector<Suspect> suspects_;
  uint32_t sweep_at_ = 0;
  uint32_t looks_ = 0, tries_ = 0;
  int64_t sweep_began_ = 0, sweep_before_ = 0;
  int64_t own_ids_ = 0;      // of safepoints that the JVM did not number for us, and of handshakes
  int64_t last_gap_ns_ = 0;  // between the last two looks of watch()
};

}  // namespace rec::agent
