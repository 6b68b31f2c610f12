// SPDX-License-Identifier: Apache-2.0
#include "agent/exceptions/exception_clock.h"

#include "agent/hotspot/walk/object_class.h"
#include "agent/options/log.h"
#include "agent/sampling/anchored_stack.h"
#include "base/clock.h"
#include "recorder/chunk/statistics_events.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr size_t kFillFrames = 2;  // fillInStackTrace(int), and who calls it, on top of the constructors

}  // namespace

base::Status ExceptionClock::start(JNIEnv* jni, int64_t per_second) {
  rate_.set(per_second, static_cast<uint64_t>(base::now_ticks()));
  count_due_ticks_ = 0;
  // release: pairs with the acquire in running(): what the hook needs is there.
  running_.store(true, std::memory_order_release);
  const bool installed = ThrowHook::install(jni, session_.vm.layout, on_thrown_);
  watch_.begin(installed);
  if (installed) return base::Done{};
  running_ = false;
  return clock_refused("are not recorded by this VM");
}

base::Status ExceptionClock::change(int64_t per_second) {
  rate_.set(per_second, static_cast<uint64_t>(base::now_ticks()));
  return base::Done{};
}

void ExceptionClock::stop(JNIEnv* jni) {
  // acq_rel: pairs with the acquire in running(), and one stop does the work.
  if (!running_.exchange(false, std::memory_order_acq_rel)) return;
  watch_.end();
  ThrowHook::remove(jni, session_.vm.layout);
  if (count_due_ticks_ == 0) write_count(base::now_ticks());
  write_count(base::now_ticks());
}

void ExceptionClock::tend() {
  if (!running()) return;
  rate_.turn();
  const int64_t now = base::now_ticks();
  if (now >= count_due_ticks_) write_count(now);
  const Layout& layout = session_.vm.layout;
  watch_.keep(session_.java_vm, ThrowHook::in_front(layout), ThrowHook::hears,
              [&](JNIEnv* jni) { return ThrowHook::install(jni, layout, on_thrown_); });
}

// Readers take the last less the first: that one says 0, whatever was thrown by the time that it is written.
void ExceptionClock::write_count(int64_t now) {
  const uint64_t count = count_due_ticks_ == 0 ? 0 : rate_.thrown();
  count_due_ticks_ = now + base::kSecond_ns;
  const EpochPin pin;
  if (!pin || !commit_figures(*pin, jfr::TypeId::kExceptionStatistics, now, figures({static_cast<int64_t>(count)})))
    Engine::losses().note(Note::kEventsRefused);
}

ClockStatus ExceptionClock::status() {
  const int64_t rate = rate_.per_second();
  return {running_.load(std::memory_order_relaxed), rate, rate == 0 ? "all" : std::to_string(rate) + "/s", ""};
}

void ExceptionClock::thrown(JNIEnv* jni, jobject throwable) {
  // acquire: pairs with the release in ActiveRecording::start().
  if (!running() || !session_.takes_events.load(std::memory_order_acquire)) return;
  LossCounters& losses = Engine::losses();
  losses.note(Note::kExceptions);
  const uint64_t weight = rate_.weight();
  if (weight == 0) return;
  if (record(jni, throwable, weight)) return losses.note(Note::kExceptionsWritten);
  losses.note(Note::kExceptionsLost, weight);
}

bool ExceptionClock::record(JNIEnv* jni, jobject throwable, uint64_t weight) {
  ThreadRecord* thread = session_.threads.current();
  if (thread == nullptr || thread->java_thread == 0) return false;
  const jclass mirror = jni->GetObjectClass(throwable);
  bool committed = false;
  const AnchoredStack stack(session_.sampler, *thread);
  if (const EpochPin pin; pin) {
    Event event;
    event.kind = EventKind::kException;
    event.ticks = base::now_ticks();
    event.thread = session_.sampler.thread_fact(*pin, *thread);
    event.stack = stack.tag(*pin, kFillFrames);
    event.other = class_fact(session_.vm.layout, *pin, mirror).unit;
    event.value = weight;
    committed = pin->commit(session_.sampler.context_of_caller(*pin, thread), event);
  }
  jni->DeleteLocalRef(mirror);
  return committed;
}

}  // namespace rec::agent
