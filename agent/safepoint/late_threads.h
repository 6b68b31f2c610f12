// SPDX-License-Identifier: Apache-2.0
// LateThreads are the threads that one safepoint, or one handshake, waits for: found, asked where they are again and
// again, seen to give way, and written down when it is over.
//
//   list() or add() -> [ look() ... look() ] until somebody says it is reached -> look() -> commit()
//
// look() asks those whose next signal is due, takes answers in, and notes who has given way; of these it reads the
// stack at once, while they stand still. Nothing waits for an answer. The watcher's thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "agent/hotspot/state/thread_words.h"
#include "agent/hotspot/walk/frozen_stack.h"
#include "agent/process/os_state.h"
#include "agent/safepoint/listed_thread.h"
#include "agent/safepoint/settings.h"
#include "agent/safepoint/stack_requests.h"
#include "agent/safepoint/stack_text.h"
#include "recorder/chunk/safepoint_events.h"
#include "recorder/epoch/lease.h"

namespace rec::agent {

struct AskedStack {
  LateStack event;
  StackRequests::Ticket ticket;
  int64_t answered_ticks = 0;    // 0: not answered
  bool waited_for_page = false;  // when it was asked
  StackText text;                // when there is a log
};

struct LateThread : ListedThread {
  ThreadWords::Handshake handshake;  // if that is what is waited for
  LateToSafepoint event;             // start, duration and error are set at the end
  int64_t first_cpu_ns = -1, first_run_delay_ns = -1, first_faults = -1;  // when it was first asked
  bool gave_way = false;
  int64_t gave_way_ticks = 0, seen_running_ticks = 0;  // it gave way between these
  std::vector<AskedStack> asked;
  Lease where;  // of the stack where it gave way
  bool has_stack = false;
  StackText where_text;
};

class LateThreads {
 public:
  // What it works with; outlives it.
  struct Tools {
    const Layout& layout;
    ThreadRegistry& threads;
    StackRequests& requests;
    FrozenStack& frozen;
    const ThreadWords& words;
    const SafepointSettings& settings;
  };
  // kArmed: only threads in Java count, and only while their poll words ask them to stop. kQueued: those that have not
  // done the handshake that they were added with.
  enum class Running { kTardy, kArmed, kQueued };
  LateThreads(const Tools& tools, Running running, int64_t id, int64_t seen_ticks)
      : tools_(tools), running_(running), id_(id), seen_ticks_(seen_ticks) {}
  ~LateThreads();
  LateThreads(const LateThreads&) = delete;
  LateThreads& operator=(const LateThreads&) = delete;

  void list();  // all that run now; once more when patience ends, if there were too many to list
  // ran_ticks: when it was last seen to run; 0: now.
  void add(ThreadRecord& record, uint32_t state, const ThreadWords::Handshake& handshake = {}, int64_t ran_ticks = 0);

  // still: those that gave way cannot have come back.
  enum class Ask { kWhenDue, kNoMore };
  void look(const std::function<bool()>& still, Ask ask);

  // Of those listed. One that has given its record back has given way.
  bool all_gave_way() const;
  int32_t running() const;

  // One that runs on is said to: reached false. To the recording, with start and end as they are known now. Who gave way
  // before patience ended (SafepointSettings) is late no more, but for the last of all if
  // it was reached soon afterwards.
  void finish(int64_t start_ticks, int64_t start_error_ns, int64_t reached_ticks, bool reached);
  bool commit();

  int32_t threads() const { return threads_; }
  int32_t late() const { return late_; }
  int32_t looks() const { return looks_; }
  const std::vector<LateThread>& listed() const { return listed_; }

 private:
  bool tardy(uint64_t java_thread, const ThreadWords::Handshake& handshake) const;
  bool tardy(const LateThread& late) const;
  void ask(LateThread& late, int64_t now);
  void take_answers(LateThread& late);
  void note_way(LateThread& late, const std::function<bool()>& still, int64_t now);
  void read_stack(LateThread& late, const std::function<bool()>& still);
  void sum_up(LateThread& late);
  int64_t next_ask_ticks(const LateThread& late) const;
  int64_t patience_ends() const { return seen_ticks_ + tools_.settings.patience_ns(); }
  void list_again();
  void drop_early(int64_t reached_ticks);

  const Tools tools_;
  const Running running_;
  const int64_t id_, seen_ticks_;
  std::vector<LateThread> listed_;
  int32_t threads_ = 0, late_ = 0, looks_ = 0;
  bool is_full_ = false;  // some that ran are not listed
};

}  // namespace rec::agent
