// SPDX-License-Identifier: Apache-2.0
#include "agent/wall/wall_watch.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "agent/sampling/chance.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr int64_t kTicksOfInterval = 8, kShortestTickNs = 1'000'000, kLongestTickNs = 10'000'000;
constexpr int64_t kLongestTogetherNs = 25'000'000, kTogetherOfDue = 8;
constexpr int64_t kQuietNs = 1'000'000'000;  // since a thread began: our pauses may be long
constexpr int64_t kSleepShare = 4;           // a sleeper is visited again after a quarter of what it has slept
constexpr int64_t kLeastFrozenNs = 100'000'000;
constexpr int64_t kLongWaitNs = 20'000'000;  // of one that hardly uses its CPU, as under a quota that all have used up
constexpr int kYields = 100;                 // for threads that wait to be noted
constexpr int64_t kGovernNs = 1'000'000'000;
constexpr int64_t kMostStretch = 1 << 10;
constexpr int64_t kStretchOfSleepers = 4;  // up to this it is for the others alone

// There is one in each stretch of that length, by chance where: so these have no rhythm, either.
int64_t shared_moment(int64_t ticks, int64_t length_ns) {
  const int64_t begin = ticks - ticks % length_ns;
  auto state = static_cast<uint64_t>(begin);
  return begin + static_cast<int64_t>(next_random(state) % static_cast<uint64_t>(length_ns));
}

}  // namespace

WallWatch::WallWatch(const VmCode& vm, ThreadRegistry& threads, WallRequests& requests, WallLedger::CpuTime cpu_time,
                     int64_t interval_ns)
    : vm_(vm),
      threads_(threads),
      requests_(requests),
      cpu_time_(cpu_time),
      interval_ns_(interval_ns),
      outside_(vm, requests.native_frames()),
      unmounted_(vm, requests.contexts()),
      frames_(OutsideWalk::kDepth),
      random_(static_cast<uint64_t>(base::now_ticks())) {}

class WallWatch::Turn {
 public:
  explicit Turn(WallWatch& watch) : waiting_(watch.waiting_), lock_(watch.mutex_, std::defer_lock) {
    waiting_.fetch_add(1, std::memory_order_relaxed);
    lock_.lock();
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }

 private:
  std::atomic<uint32_t>& waiting_;
  std::unique_lock<std::mutex> lock_;
};

void WallWatch::thread_present(ThreadRecord& record) {
  const Turn turn(*this);
  const int32_t os_id = record.os_id.load(std::memory_order_relaxed);
  if (record.kind != ThreadKind::kJava || watched_.contains(&record)) return;
  const int64_t now = base::now_ticks(), cpu_ns = task_cpu_ns(os_id);
  if (cpu_ns < 0) return;
  const int64_t delay_ns = os_id == gettid() ? 0 : std::max<int64_t>(run_delay_ns(tasks_, os_id), 0);
  const WallLedger ledger(cpu_time_, now, cpu_ns, 0, frozen_ns_.load(std::memory_order_relaxed));
  record.waited_ns.store(0, std::memory_order_relaxed);
  record.last_stack.store(0, std::memory_order_relaxed);
  const auto& watched = watched_[&record] = std::make_shared<Watched>(&record, os_id, now, cpu_ns, ledger);
  watched->waits.begin(delay_ns);
  young_.push_back(watched);
  last_begin_ticks_ = now;
  Housekeeper::Pause* const pause = std::exchange(long_pause_, nullptr);
  if (pause == nullptr) return;
  round_ticks_ = now;  // the round that comes now has no chance by itself: it comes because of the thread
  pause->cut();
}

void WallWatch::thread_ended(ThreadRecord& record) {
  const Turn turn(*this);
  const auto found = watched_.find(&record);
  if (found == watched_.end()) return;
  EpochPin pin;
  if (pin) places_.turn(*pin);
  end(*found->second, pin ? &*pin : nullptr);
  drop(*found->second);
}

void WallWatch::drop(Watched& watched) {
  watched.is_over = true;
  watched_.erase(watched.record);
}

void WallWatch::keep_standing() {
  const Turn turn(*this);
  const EpochPin pin;
  if (!pin) return;
  places_.turn(*pin);
  places_.keep_held(*pin);
}

// One after another: threads that begin or end meanwhile do not wait for all.
void WallWatch::tell_standing() {
  std::vector<std::shared_ptr<Watched>> all;
  {
    const Turn turn(*this);
    for (const auto& [record, watched] : watched_) all.push_back(watched);
  }
  for (const auto& watched : all) {
    const Turn turn(*this);
    const EpochPin pin;
    if (!pin) return;
    places_.turn(*pin);
    const bool is_young = !watched->met && base::now_ticks() - watched->begin_ticks < interval_ns();
    if (watched->is_over || is_young || !visit(*watched, *pin)) continue;  // it has ended: its own visit tells
    write_standing(*watched, *pin);
  }
}

void WallWatch::run(Housekeeper::Pause& pause) {
  while (rest(pause)) {
    const int64_t now = base::now_ticks();
    visit_young(now);
    visit_all_due(now);
    unmounted_.visit(interval_ns());
    govern(now);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  end_all();
}

// Where visits are too dear, so are the moments for them: more than half of the cost is to wake up.
int64_t WallWatch::tick_ns() const {
  return std::clamp(interval_ns() / kTicksOfInterval, kShortestTickNs, kLongestTickNs) * stretched();
}

int64_t WallWatch::together_ns() const { return std::max(tick_ns(), std::min(interval_ns() / 2, kLongestTogetherNs)); }

// For a tick; longer, while nobody is due and no threads begin. The first one that does ends that.
bool WallWatch::rest(Housekeeper::Pause& pause) {
  int64_t pause_ns = tick_ns();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const int64_t now = base::now_ticks(), due_ns = due_.empty() ? kLongestTogetherNs : due_.top().ticks - now;
    if (now - last_begin_ticks_ > kQuietNs) pause_ns = std::clamp(due_ns, pause_ns, together_ns());
    if (pause_ns > tick_ns()) long_pause_ = &pause;
  }
  const bool goes_on = pause_for(pause, pause_ns);
  const std::lock_guard<std::mutex> lock(mutex_);
  long_pause_ = nullptr;
  return goes_on;
}

// Who comes back much later than asked for, and has not waited for a CPU, was stopped with all others: by SIGSTOP, or as a container is paused.
bool WallWatch::pause_for(Housekeeper::Pause& pause, int64_t pause_ns) {
  const int64_t before = base::now_ticks();
  const bool goes_on = pause.wait_for(pause_ns);
  const int64_t now = base::now_ticks(), late_ns = now - before - pause_ns;
  const int64_t waited_ns = late_ns > kLongWaitNs ? waits_since() : 0;
  if (waited_ns > kLongWaitNs) held_up_ticks_.store(now, std::memory_order_relaxed);
  if (late_ns - waited_ns > kLeastFrozenNs) frozen_ns_.fetch_add(late_ns - waited_ns, std::memory_order_relaxed);
  return goes_on;
}

// Of this thread for a CPU, since the last time; a second, or hardly more.
int64_t WallWatch::waits_since() {
  const int64_t delay_ns = run_delay_ns(own_tasks_, gettid());
  return delay_ns - std::exchange(own_delay_ns_, delay_ns);
}

// A mutex is not fair by itself: who has just let it go gets it again before those who sleep for it.
void WallWatch::let_others_go_first() const {
  for (int i = 0; i < kYields && waiting_.load(std::memory_order_relaxed) > 0; ++i) sched_yield();
}

void WallWatch::visit_young(int64_t now) {
  std::vector<std::shared_ptr<Watched>> young;
  int64_t since_ns = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    young.swap(young_);
    since_ns = now - std::exchange(round_ticks_, now);
  }
  for (const auto& watched : young) {
    let_others_go_first();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (watched->is_over) continue;
    const int64_t interval = interval_ns(), left_ns = interval - watched->missed_ns;
    watched->missed_ns += since_ns;
    watched->met_ns = since_ns <= left_ns ? interval : since_ns * interval / std::max<int64_t>(left_ns, 1);
    if (random_.next() * static_cast<double>(left_ns) < static_cast<double>(since_ns))
      visit_now(watched, now);
    else
      young_.push_back(watched);
  }
}

void WallWatch::visit_all_due(int64_t now) {
  for (bool more = true; more;) {
    let_others_go_first();
    const std::lock_guard<std::mutex> lock(mutex_);
    more = visit_next(now);
  }
}

// False: none is due.
bool WallWatch::visit_next(int64_t now) {
  if (due_.empty() || due_.top().ticks > now) return false;
  const std::shared_ptr<Watched> watched = due_.top().watched;
  due_.pop();
  if (watched->is_over) return true;
  if (seems_to_stand(*watched, now)) {
    due_.push({next_visit_ticks(*watched, now), watched});
    return true;
  }
  visit_now(watched, now);
  return true;
}

void WallWatch::visit_now(const std::shared_ptr<Watched>& watched, int64_t now) {
  EpochPin pin;
  if (!pin)
    return due_.push({now + interval_ns(), watched});  // between two recordings, or the disk does not answer: later
  places_.turn(*pin);
  if (visit(*watched, *pin))
    due_.push({next_visit_ticks(*watched, now), watched});
  else
    drop(*watched);
}

void WallWatch::end(Watched& watched, Epoch* epoch) {
  settle(watched);
  read_waits(watched, watched.yields);
  const int64_t now = base::now_ticks(), cpu_ns = task_cpu_ns(watched.os_id);
  const WallDoes does = watched.held == 0 ? WallDoes::kRuns : WallDoes::kStands;
  WallLedger::Over left = watched.ledger.end({now, std::max<int64_t>(cpu_ns, 0), watched.waits.lost_ns(),
                                              frozen_ns_.load(std::memory_order_relaxed), does, watched.held});
  if (const int64_t waited_ns = take_back_waits(watched); waited_ns > 0) {
    if (!left.ran) left.ran = WallSpan{left.stood ? left.stood->place : 0, now - waited_ns, 0, true};
    left.ran->length_ns += waited_ns;
  }
  weigh_short_life(watched, now, cpu_ns, left);
  if (epoch != nullptr && left.stood && left.stood->length_ns > 0) write(watched, *epoch, *left.stood);
  if (epoch != nullptr && left.ran && left.ran->length_ns > 0) write_last(watched, *epoch, *left.ran);
  stand(watched, 0);
}

// What the samples of one that has lived for less than an interval are to add up to, but for those of its own clock. One
// that was met waiting for a CPU may have lost it to the one that looked: it stands for no more than what it did not run.
int64_t WallWatch::worth_of_short_life(const Watched& watched, int64_t life_ns, int64_t cpu_ns) const {
  if (!watched.met) return 0;
  if (*watched.met == WallDoes::kStands) return watched.met_ns;
  if (*watched.met == WallDoes::kRuns) return cpu_time_ == WallLedger::CpuTime::kElsewhere ? 0 : watched.met_ns;
  const int64_t other_ns = std::max<int64_t>(life_ns - (cpu_ns - watched.begin_cpu_ns), 0);
  return static_cast<int64_t>(static_cast<double>(watched.met_ns) * static_cast<double>(other_ns) /
                              static_cast<double>(life_ns));
}

// All of it goes to what it did when it was met.
void WallWatch::weigh_short_life(const Watched& watched, int64_t end_ticks, int64_t cpu_ns,
                                 WallLedger::Over& left) const {
  const int64_t life_ns = end_ticks - watched.begin_ticks;
  if (life_ns >= interval_ns() || life_ns <= 0) return;
  const int64_t due_ns = std::max<int64_t>(worth_of_short_life(watched, life_ns, cpu_ns) - watched.written_ns, 0);
  const bool stood = watched.met == WallDoes::kStands;
  std::optional<WallSpan>&its = stood ? left.stood : left.ran, &other = stood ? left.ran : left.stood;
  if (!its) its = WallSpan{stood ? watched.held : 0, end_ticks - due_ns, 0, !stood};
  its->length_ns = due_ns;
  other.reset();
}

void WallWatch::end_all() {
  EpochPin pin;
  if (pin) places_.turn(*pin);
  for (auto& [record, watched] : watched_) {
    is_alive(*watched) ? end(*watched, pin ? &*pin : nullptr) : settle(*watched);
    watched->is_over = true;
  }
  watched_.clear();
  due_ = {};
  young_.clear();
}

// Visits to sleepers are few, as a rule, and what is twice as rare loses whole sleeps of those who wake and sleep again.
int64_t WallWatch::sleepers_visit_ns(int64_t slept_ns) const {
  const int64_t stretch = std::max<int64_t>(1, stretched() / kStretchOfSleepers);
  return std::max(std::min(slept_ns / kSleepShare, kLongestNs) * stretch, interval_ns() * stretched());
}

// Between a half and one and a half of what is due, so that no rhythm of the program's is met or missed.
int64_t WallWatch::next_visit_ticks(const Watched& watched, int64_t now) {
  int64_t due_ns = interval_ns() * stretched();
  const int64_t slept_ns = watched.held == 0 ? 0 : now - watched.since_ticks;
  if (slept_ns > kSleepShare * due_ns) due_ns = sleepers_visit_ns(slept_ns);
  due_ns = static_cast<int64_t>(static_cast<double>(due_ns) * (0.5 + random_.next()));
  const int64_t together = together_ns();
  return due_ns < kTogetherOfDue * together ? now + due_ns : shared_moment(now + due_ns, together);
}

// Of one that stands, from the last look on.
int64_t WallWatch::next_proof_ns(const Watched& watched) {
  const int64_t due_ns = (watched.ledger.last_ticks() - watched.since_ticks) / kSleepShare;
  return due_ns < kLongestNs ? 0 : std::min(due_ns, kWriteNs - watched.ledger.standing_ns());
}

void WallWatch::govern(int64_t now) {
  if (now - governed_ticks_ < kGovernNs) return;
  waits_since();
  const int64_t cpu_ns = base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
  const int64_t used_ns = cpu_ns - governed_cpu_ns_, allowed_ns = (now - governed_ticks_) / kMostShare;
  const int64_t stretch = stretched();
  if (governed_ticks_ != 0 && used_ns > allowed_ns && stretch < kMostStretch)
    stretch_.store(2 * stretch, std::memory_order_relaxed);
  else if (used_ns < allowed_ns / 3 && stretch > 1)
    stretch_.store(stretch / 2, std::memory_order_relaxed);
  governed_ticks_ = now;
  governed_cpu_ns_ = cpu_ns;
}

}  // namespace rec::agent
