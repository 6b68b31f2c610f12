// SPDX-License-Identifier: Apache-2.0
// StallFinder is the work of the watching thread: from "was one asked for?" to the finished events. Times are
// CLOCK_MONOTONIC.
//
// SafepointTrack tells which safepoints were reached since the look before, and which one is waited for. That one's
// threads are watched once the first wait is over. What begins and ends between two looks is still found, without
// threads. Several that only counters tell of are judged together: only when their mean is over the threshold something
// is surely to be said.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/hotspot/state/perf_words.h"
#include "agent/hotspot/state/safepoint_words.h"
#include "agent/hotspot/state/vm_library.h"
#include "agent/hotspot/state/vm_operation.h"
#include "agent/process/housekeeper.h"
#include "agent/safepoint/all_handshake.h"
#include "agent/safepoint/busy_threads.h"
#include "agent/safepoint/critical_stalls.h"
#include "agent/safepoint/late_threads.h"
#include "agent/safepoint/safepoint_reports.h"
#include "agent/safepoint/safepoint_track.h"
#include "agent/safepoint/vm_delay.h"

namespace rec::agent {

class StallFinder {
 public:
  // critical_slots: of critical_slot.h.
  StallFinder(const VmCode& vm, ThreadRegistry& threads, StackRequests& requests, const SafepointSettings& settings,
              const std::vector<uint32_t>& critical_slots, Housekeeper::Pause& pause);
  void run();  // until the pause says stop

 private:
  struct Suspect {  // a thread that is asked to stop, perhaps alone
    ThreadRecord* record;
    int32_t os_id;
    int64_t from_ticks,
        seen_ticks;       // it was not there yet; it was seen first. The same, if it is known since when it is
    int64_t there_ticks;  // it was seen last
    ThreadWords::Handshake handshake;  // what it has to do; empty: only its poll word asks it
    std::string operation;
    int64_t ran_ticks;  // when it was last seen to be waited for, in Java or in the VM; 0: never
    int64_t likely_start() const { return from_ticks + (seen_ticks - from_ticks) / 2; }
  };

  bool open();
  int64_t pause_ns() const;

  // By the JVM's counters, or by its own words where it keeps none.
  bool counted() const { return counters_.present() || words_of_vm_.present(); }
  const char* source() const {
    return counters_.present() ? "counters" : words_of_vm_.present() ? "the VM's words" : "poll words";
  }
  SafepointCounts read_counts() { return counters_.present() ? counters_.read() : words_of_vm_.count(); }
  void look_at_counters();
  bool look_at_safepoints(int64_t now);  // true: one is waited for
  bool safepoint_goes_on();              // or another one was asked for
  void note_cause(const SafepointLook& look);
  std::string thread_name(uint64_t vm_thread);
  void take(const SafepointTrack::News& news, int64_t now);
  void watch_request();
  void set_times(TimeToSafepoint& stall, const SafepointTrack::Request& request, const SafepointTrack::Reached& reached,
                 int64_t reached_ticks) const;
  void set_times_open(TimeToSafepoint& stall, const SafepointTrack::Request& request, int64_t now);
  SafepointLook settled_look();
  void look_again();
  void write_unwatched(const SafepointTrack::Reached& reached, int64_t now);
  void wait_for_end(uint64_t number, uint64_t stopped_before_ns, TimeToSafepoint& stall);

  // Collections that are held up.
  void look_at_critical(int64_t now);
  void write_critical(const CriticalTrack::Stall& stall, bool over);

  // By poll words.
  void look_at_poll_words();
  bool by_queue() const { return counted() && words_.has_queue(); }
  bool still_asked(const Suspect& suspect) const;
  void drop_done(int64_t now);
  void sweep(int64_t now, uint32_t count);
  void look_at_busy(int64_t now);
  void note_queue(ThreadRecord& record, int64_t from, int64_t now);
  void know_start(Suspect& suspect, int64_t now);
  void note_suspect(ThreadRecord& record, ThreadWords::Handshake handshake, int64_t from, int64_t now);
  void note_one_of_many(Suspect& found);
  void refresh_suspects(int64_t now);
  void sweep_all(int64_t reached_ticks);
  bool all_are_armed();
  void watch_handshake(const Suspect& suspect);
  std::vector<Suspect> all_who_do(const Suspect& suspect);
  int64_t done_before(const Suspect& suspect, int64_t now) const;
  void write_unwatched(const Suspect& suspect, int64_t now, bool over);
  void tell_open();
  void look_at_all_handshake(int64_t now);
  void write_all(const AllHandshake::One& one, int64_t now);
  void watch_all(const Suspect& suspect);
  void watch_words(TimeToSafepoint& stall, LateThreads& late, const Suspect& suspect,
                   const std::function<bool()>& done);
  void finish_words(TimeToSafepoint& stall, LateThreads& late, const Suspect& suspect, int64_t done_ticks);

  LateThreads::Tools tools() { return {vm_.layout, threads_, requests_, frozen_, words_, settings_}; }
  int64_t first_wait_ns() const { return settings_.waits_ns.front(); }
  int64_t list_wait_ns() const { return settings_.patience_ns() / kListShare; }
  bool watch(LateThreads& late, const std::function<bool()>& over, const std::function<bool()>& still);
  // ran: threads of Java when it was asked for, as the VM says; -1: not known.
  void finish(TimeToSafepoint& stall, LateThreads& late, int64_t reached_ticks, int32_t ran = -1);
  void write(TimeToSafepoint& stall, const std::vector<LateThread>& late);

  const VmCode& vm_;
  ThreadRegistry& threads_;
  StackRequests& requests_;
  const SafepointSettings settings_;
  const std::vector<uint32_t> critical_slots_;
  Housekeeper::Pause& pause_;
  const VmLibrary library_;
  PerfWords counters_;
  SafepointWords words_of_vm_;
  ThreadWords words_;
  VmOperation operation_{library_};
  FrozenStack frozen_;
  SafepointReports reports_;
  CriticalStalls critical_{vm_, threads_, frozen_, words_, settings_};
  VmDelay delay_{reports_.vm_thread()};

  SafepointTrack track_;
  uint64_t cause_of_ = 0;  // the safepoint whose collection `cause_` is
  std::string cause_;
  uint64_t begin_written_ = 0;  // the last one that was late
  uint64_t told_open_ = 0;      // that was written before it was reached, since the recording ended
  bool goes_on_ = false;        // a safepoint, when it was last looked
  std::vector<Suspect> suspects_;
  BusyThreads busy_;
  AllHandshake all_;
  std::optional<ThreadWords::Handshake> watched_;  // nobody is suspected for it
  int64_t dropped_at_ = 0;                         // when it was last looked who is done
  uint32_t sweep_at_ = 0;
  int64_t sweep_began_ = 0, sweep_before_ = 0;  // when the round, and the one before, began
  int64_t own_ids_ = 0;                         // of safepoints that the JVM did not number for us, and of handshakes
  int64_t last_gap_ns_ = 0;                     // between the last two looks of watch()
  int64_t not_over_at_ = 0;                     // when that was looked at last in watch(), while it was not
};

}  // namespace rec::agent
