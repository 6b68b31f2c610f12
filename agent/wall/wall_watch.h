// SPDX-License-Identifier: Apache-2.0
// WallWatch is the work of the wall clock's thread: it visits the threads of Java in turn, each at random moments an
// interval apart on the average, and tells its ledger what it sees.
//
//   it has slept for long, and its place is the last one  it is taken to sleep on, until a proof is due (0.5 us)
//   its CPU clock and place are those of the last visit   it has not run: no more is looked at (2 us)
//   it is outside of Java                                 its stack is walked from outside (outside_walk.h)
//   it is in Java                                         its clock of CPU time writes samples as it runs, and the waits for
//                                                         CPUs that were found since; without clocks it is asked by a signal
//
// Its first visit is that of a round in its first interval, of each with the chance of the time since the round before by
// the interval. So one that lives for less is met with the chance of its length by the interval, and what it does then
// stands for an interval; but not if it runs, where its own clock tells that. A round that comes so late that its chance
// would be more than there is stands for more.
//
// A thread that sleeps is sent no signal, and visited more seldom the longer it sleeps: when a quarter of the time that
// it has slept has passed again, and at least each kLongestNs. When it moves, its sleep is written as one sample. Sleeps
// that go on are written each kWriteNs. If all that takes more CPU than kMostShare allows, intervals grow.
//
// From 4 * kLongestNs of sleep on, its CPU clock is read when again a quarter of its sleep has passed, and when it is
// written. In between its place in its own memory is enough (OutsideWalk::Place). One that ran meanwhile, and stands just
// so again, is found out by the next reading, which has all of its CPU time.
//
// Visits to those who sleep are rounded to moments that they share: a wake-up of ours costs more than a visit.
//
// run() is the clock's thread; the rest may be called by any ordinary thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

#include "agent/hotspot/walk/outside_walk.h"
#include "agent/process/housekeeper.h"
#include "agent/process/os_state.h"
#include "agent/wall/cpu_waits.h"
#include "agent/wall/unmounted_wall.h"
#include "agent/wall/wall_ledger.h"
#include "agent/wall/wall_places.h"
#include "agent/wall/wall_requests.h"
#include "base/clock.h"

namespace rec::agent {

class WallWatch {
 public:
  static constexpr int64_t kLongestNs = 2'000'000'000;  // between two visits to a thread that sleeps
  static constexpr int64_t kWriteNs = 10'000'000'000;   // between two samples of a sleep that goes on
  static constexpr int64_t kMostShare = 25;             // one in so many of a core is ours

  WallWatch(const VmCode& vm, ThreadRegistry& threads, WallRequests& requests, WallLedger::CpuTime cpu_time,
            int64_t interval_ns);

  // Before run(), on a thread that Java knows: virtual threads that no carrier runs are visited, too, where that is possible.
  void begin_unmounted(JNIEnv* jni, ThreadSets& sets) { unmounted_.begin(jni, sets); }
  void run(Housekeeper::Pause& pause);

  void thread_present(ThreadRecord& record);  // from now on
  void thread_ended(ThreadRecord& record);    // in itself
  void keep_standing();                       // before the epoch ends; any ordinary thread
  void tell_standing();                       // sleeps that go on are written up to now; any ordinary thread
  int64_t interval_ns() const { return interval_ns_.load(std::memory_order_relaxed); }
  void change(int64_t interval_ns) { interval_ns_.store(interval_ns, std::memory_order_relaxed); }
  int64_t stretched() const { return stretch_.load(std::memory_order_relaxed); }  // times that intervals are longer

 private:
  struct Watched {
    Watched(ThreadRecord* its, int32_t id, int64_t begin, int64_t begin_cpu, const WallLedger& account)
        : record(its), os_id(id), begin_ticks(begin), begin_cpu_ns(begin_cpu), ledger(account) {}

    // First what most visits need, so that they touch little memory.
    uint64_t java_thread = 0;  // as it was when it last stood,
    OutsideWalk::Place stood;  // and where
    int64_t since_ticks = 0;   // since when,
    int64_t proof_ticks = 0;   // and from when on its CPU clock is to be read again; 0: it does not stand
    uint64_t held = 0;         // its place, if it stands
    bool is_over = false;      // it is in watched_ no more

    ThreadRecord* record;
    int32_t os_id;
    int64_t begin_ticks, begin_cpu_ns;
    int64_t missed_ns = 0;  // of its first interval: rounds that passed it by
    int64_t written_ns = 0;
    std::optional<WallDoes> met;  // what it did at the first visit that saw it,
    int64_t met_ns = 0;           // and what that stands for in a short life
    WallLedger ledger;
    RequestContext context;  // the request that it stands in
    CpuWaits waits;
    bool yields = false;  // at the last visit, and has no CPU
    int64_t cpu_ns = -1;  // its CPU time at the last visit; -1: it ran
    int asked = -1;       // a slot of the requests, for a time that it ran:
    int64_t asked_ns = 0;
    // Virtual threads that it carries: of one, what has stood is written while the next one has been seen.
    struct Virtual {
      int64_t id = 0;  // 0: none
      ThreadTag tag;
      std::optional<std::string> name;  // as it was last read
    };
    Virtual& own() { return virtuals[own_at]; }  // whose time it is
    Virtual& virtual_of(int64_t id) {
      if (own().id == id) return own();
      Virtual& other = virtuals[1 - own_at];
      if (other.id != id) other.tag.forget(), other.name.reset();
      other.id = id;
      return other;
    }
    void carries(int64_t id) {  // from here on
      if (&virtual_of(id) != &own()) own_at = 1 - own_at;
    }
    std::array<Virtual, 2> virtuals;
    size_t own_at = 0;
    LastCarried carried;
  };
  // Whose frames a look has seen.
  struct Owner {
    RequestContext context;  // the request that it works for
    int64_t carried = 0;     // the virtual thread that it carries
  };
  struct Due {
    int64_t ticks;
    std::shared_ptr<Watched> watched;
    bool operator>(const Due& other) const { return ticks > other.ticks; }
  };

  // A thread that starts or ends does not wait for more than one visit.
  class Turn;

  bool rest(Housekeeper::Pause& pause);  // false: the clock is to stop
  bool pause_for(Housekeeper::Pause& pause, int64_t pause_ns);
  int64_t waits_since();
  int64_t tick_ns() const;
  int64_t together_ns() const;
  void visit_young(int64_t now);
  void visit_all_due(int64_t now);
  void let_others_go_first() const;
  // Under mutex_.
  bool visit_next(int64_t now);
  void visit_now(const std::shared_ptr<Watched>& watched, int64_t now);
  bool visit(Watched& watched, Epoch& epoch);
  bool is_alive(const Watched& watched) const;
  bool seems_to_stand(const Watched& watched, int64_t now) const;
  bool still_stands(const Watched& watched, int64_t cpu_ns) const;
  bool has_lost_its_cpu(const Watched& watched);
  bool is_blocked(const Watched& watched) const;
  bool is_ready(const Watched& watched);
  void find_wait(Watched& watched, const WallLook& look);
  void read_waits(Watched& watched, bool yields);
  bool look_closer(Watched& watched, Epoch& epoch, WallLook& look, Owner& owner);
  static bool has_run_since(const WallLook& look, int32_t os_id);
  void take_over(Watched& watched, Epoch& epoch, const WallLedger::Over& over, int64_t carried);
  void stand(Watched& watched, uint64_t place);
  void drop(Watched& watched);
  void write(Watched& watched, Epoch& epoch, const WallSpan& span);
  Ref<StackFact> shown(Epoch& epoch, Ref<StackFact> stack);
  void write_last(Watched& watched, Epoch& epoch, const WallSpan& ran);
  void write_standing(Watched& watched, Epoch& epoch);  // up to now
  void ask(Watched& watched, const WallSpan& ran);
  static void hand_over(Watched& watched, const WallSpan& waited);
  static int64_t take_back_waits(Watched& watched);
  void settle(Watched& watched);
  static void take_back(Watched& watched);
  void end(Watched& watched, Epoch* epoch);
  WallDoes met_at_first(const Watched& watched, WallDoes does);
  void weigh_short_life(const Watched& watched, int64_t end_ticks, int64_t cpu_ns, WallLedger::Over& left) const;
  int64_t worth_of_short_life(const Watched& watched, int64_t life_ns, int64_t cpu_ns) const;
  void end_all();
  Ref<ThreadFact> virtual_fact(Watched& watched, Epoch& epoch, Watched::Virtual& its);
  Ref<ThreadFact> fact_of(Watched& watched, Epoch& epoch);
  WallSample sample_of(const WallSpan& span, uint32_t state);
  int64_t sleepers_visit_ns(int64_t slept_ns) const;
  int64_t next_visit_ticks(const Watched& watched, int64_t now);
  static int64_t next_proof_ns(const Watched& watched);
  void govern(int64_t now);

  const VmCode& vm_;
  ThreadRegistry& threads_;
  WallRequests& requests_;
  const WallLedger::CpuTime cpu_time_;
  std::atomic<int64_t> interval_ns_, stretch_{1};

  std::mutex mutex_;
  std::atomic<uint32_t> waiting_{0};  // threads for mutex_, but for the clock's
  std::unordered_map<const ThreadRecord*, std::shared_ptr<Watched>> watched_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>>
      due_;                                      // each that is watched and not young, once, and some that are over
  std::vector<std::shared_ptr<Watched>> young_;  // those that no visit has met in their first interval, likewise
  int64_t round_ticks_ = base::now_ticks();      // when they were looked through last
  Housekeeper::Pause* long_pause_ = nullptr;     // while there is one
  int64_t last_begin_ticks_ = 0;                 // of a thread
  WallPlaces places_;
  OutsideWalk outside_;
  UnmountedWall unmounted_;
  TaskDirectory tasks_;      // under mutex_,
  TaskDirectory own_tasks_;  // of the clock's thread
  std::vector<Frame> frames_;
  Random random_;
  int64_t governed_ticks_ = 0, governed_cpu_ns_ = 0, own_delay_ns_ = 0;
  std::atomic<int64_t> held_up_ticks_{0};  // when the clock's thread last came back from a long wait for a CPU
  std::atomic<int64_t> frozen_ns_{0};      // for which all of the process has stood still, beside waits for CPUs
};

}  // namespace rec::agent
