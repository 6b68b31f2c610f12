// SPDX-License-Identifier: Apache-2.0
// ActiveRecording, what it does when it is told to record something else while it runs.
#include <utility>

#include "agent/main/active_recording.h"
#include "agent/options/changes.h"

namespace rec::agent {

Status ActiveRecording::change(JNIEnv* jni, const Options& wanted, int64_t limit_ns) {
  const Options before = now_, first = without_stops(now_, wanted);
  Status done = first == before ? Status(base::Done{}) : move_to(jni, first, limit_ns);
  if (!done && now_ != before) (void)move_to(jni, before, limit_ns);
  if (!done) return done;
  return wanted == first ? done : move_to(jni, wanted, limit_ns);
}

// What stops has stopped before the new chunk begins, and what starts starts in it.
Status ActiveRecording::move_to(JNIEnv* jni, const Options& wanted, int64_t limit_ns) {
  const Options before = std::exchange(now_, wanted);
  if (changes_cpu(before))
    (void)engine_->write_out(limit_ns);  // while that clock stands, there is little left to be written
  {
    const std::lock_guard<std::mutex> lock(tending_);
    stop_unwanted(jni, before);
  }
  Status rotated = engine_->change(settings(), limit_ns);
  if (!rotated) now_ = before;
  const std::lock_guard<std::mutex> lock(tending_);
  Status started = start_wanted(jni, before);
  if (rotated) watch_otherwise(jni, before);
  return rotated ? started : rotated;
}

// All samples of CPU time in a chunk stand for the same: its clock stops for another interval, too.
bool ActiveRecording::changes_cpu(const Options& before) const {
  return wishes(before)[0].interval != wishes(now_)[0].interval || sampled_threads(before) != sampled_threads(now_);
}

void ActiveRecording::stop_unwanted(JNIEnv* jni, const Options& before) {
  if (changes_cpu(before)) cpu_.stop(jni);
  for (const Wish& wish : wishes(now_))
    if (!wish.wanted && wish.clock->status().running) wish.clock->stop(jni);
}

// Those that can start do; the error is of those that cannot.
Status ActiveRecording::start_wanted(JNIEnv* jni, const Options& before) {
  const auto old = wishes(before), now = wishes(now_);
  const bool had_cpu = old[0].wanted;
  bool any_new = false, cpu_new = false;
  std::string error;
  session_.sampler.set_output(now_.samples_cpu(), now_.samples_wall() ? now_.wall_ns : 0);
  cpu_.sample_threads(sampled_threads(now_));
  for (size_t i = 0; i < now.size(); ++i) {
    const Wish& wish = now[i];
    const bool runs = wish.clock->status().running;
    if (!wish.wanted || (runs && wish.interval == old[i].interval)) continue;
    const Status done = runs ? wish.clock->change(wish.interval) : wish.clock->start(jni, wish.interval);
    if (!done) error += (error.empty() ? "" : "; ") + std::string(wish.clock->name()) + " " + done.error().what;
    if (!done || runs) continue;
    any_new = true;
    if (wish.clock != &cpu_) continue;
    cpu_new = true;
    cpu_refused_ = false;
    if (!had_cpu) wall_.stop(jni);  // it has told of what runs itself; it starts again below
  }
  if (any_new) add_present_threads(jni);
  if (cpu_new) cpu_.all_java_present(had_cpu);
  return error.empty() ? Status(base::Done{}) : base::Error{base::ErrorCode::kSystem, 0, std::move(error), 0};
}

void ActiveRecording::watch_otherwise(JNIEnv* jni, const Options& before) {
  if (before.statistics_ns != now_.statistics_ns) statistics_.open(now_.statistics_ns);
  if (before.blackbox_ns != now_.blackbox_ns) black_box_.open(now_.blackbox_ns);
  if (before.safepoint_ns == now_.safepoint_ns) return;
  if (before.safepoint_ns != 0) safepoints_.stop();
  watch_safepoints(jni);
}

}  // namespace rec::agent
