// SPDX-License-Identifier: Apache-2.0
#include "agent/locks/lock_clock.h"

#include <algorithm>
#include <string_view>

#include "agent/hotspot/state/monitor_words.h"
#include "agent/hotspot/state/mount_notices.h"
#include "agent/hotspot/vm/java_fields.h"
#include "agent/hotspot/vm/local_refs.h"
#include "agent/hotspot/walk/object_class.h"
#include "agent/options/log.h"
#include "agent/sampling/anchored_stack.h"
#include "agent/sampling/thread_facts.h"
#include "base/clock.h"
#include "base/units.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr jvmtiEvent kEvents[] = {JVMTI_EVENT_MONITOR_CONTENDED_ENTER, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED,
                                  JVMTI_EVENT_MONITOR_WAIT, JVMTI_EVENT_MONITOR_WAITED};
constexpr int64_t kShortestAskNs = 1'000'000;  // a wait for less is over before its owner could answer

jvmtiCapabilities monitor_events() {
  jvmtiCapabilities wanted{};
  wanted.can_generate_monitor_events = 1;
  return wanted;
}

}  // namespace

base::Status LockClock::start(JNIEnv* jni, int64_t threshold_ns) {
  if (mounts_are_quiet())
    return clock_refused("is to be named when this JVM starts (-agentpath), or the library to be loaded later only");
  const jvmtiCapabilities wanted = monitor_events();
  if (session_.jvmti->AddCapabilities(&wanted) != JVMTI_ERROR_NONE)
    return clock_refused("is not to be had: this VM tells nobody of waits for monitors");
  fields_.open(jni);
  threshold_ns_.store(threshold_ns, std::memory_order_relaxed);
  // release: pairs with the acquire in running(): what callbacks need is there.
  running_.store(true, std::memory_order_release);
  if (!enable(JVMTI_ENABLE)) return stop(jni), clock_refused("is refused by this VM");
  parks_.begin(ParkHook::install(jni, session_.vm.layout, on_parked_));
  sleeps_.begin(SleepHook::install(jni, session_.vm.layout, on_slept_));
  for (const HookWatch* hook : {&parks_, &sleeps_})
    if (const std::string trouble = hook->trouble(); !trouble.empty()) say(LogLevel::kWarn, trouble);
  watch_owners();
  if (!virtual_parks_.start(jni) && has_virtual_threads(session_.vm.layout))
    say(LogLevel::kInfo, "parks of virtual threads are not recorded: this JVM does not keep them as we know it");
  return base::Done{};
}

void LockClock::watch_owners() {
  if (!watch_.start(stack_depth_, std::max(threshold(), kShortestAskNs)))
    say(LogLevel::kWarn, "who holds a lock is not asked where it is: no signal or thread is left for that");
}

base::Status LockClock::change(int64_t threshold_ns) {
  threshold_ns_.store(threshold_ns, std::memory_order_relaxed);
  watch_.stop();
  watch_owners();
  return base::Done{};
}

void LockClock::stop(JNIEnv* jni) {
  // acq_rel: pairs with the acquire in running(), and one stop does the work.
  if (!running_.exchange(false, std::memory_order_acq_rel)) return;
  parks_.end(), sleeps_.end();
  ParkHook::remove(jni, session_.vm.layout);
  SleepHook::remove(jni, session_.vm.layout);
  enable(JVMTI_DISABLE);
  watch_.stop();
  virtual_parks_.stop();
  waits_.clear();
  const jvmtiCapabilities had = monitor_events();
  session_.jvmti->RelinquishCapabilities(&had);
}

bool LockClock::enable(jvmtiEventMode mode) {
  bool all = true;
  for (const jvmtiEvent event : kEvents)
    all = session_.jvmti->SetEventNotificationMode(mode, event, nullptr) == JVMTI_ERROR_NONE && all;
  return all;
}

void LockClock::tend() {
  if (!running()) return;
  const Layout& layout = session_.vm.layout;
  parks_.keep(session_.java_vm, ParkHook::in_front(layout), ParkHook::hears,
              [&](JNIEnv* jni) { return ParkHook::install(jni, layout, on_parked_); });
  sleeps_.keep(session_.java_vm, SleepHook::in_front(layout), SleepHook::hears,
               [&](JNIEnv* jni) { return SleepHook::install(jni, layout, on_slept_); });
}

std::string LockClock::trouble() const {
  if (!running()) return {};
  const std::string of_parks = parks_.trouble();
  return of_parks.empty() ? sleeps_.trouble() : of_parks;
}

ClockStatus LockClock::status() {
  return {running_.load(std::memory_order_relaxed), threshold(), base::duration_text(threshold()), ""};
}

void LockClock::enter_begins(JNIEnv* jni, jthread thread, jobject object) {
  if (!running()) return;
  const ThreadRecord* record = session_.threads.current();
  if (record == nullptr || record->java_thread == 0) return;
  const Layout& layout = session_.vm.layout;
  Wait wait;
  wait.monitor = pending_monitor(layout, record->java_thread);
  wait.owner_word = owner_of_monitor(layout, wait.monitor).word;
  wait.object = object_at(object);
  wait.start_ticks = base::now_ticks();
  wait.ask_each_ns = std::max(threshold(), kShortestAskNs);
  wait.next_ask_ticks = wait.start_ticks + wait.ask_each_ns;
  waits_.begin({fields_.id(jni, thread), WaitFor::kEnter}, wait);
}

void LockClock::enter_ends(JNIEnv* jni, jthread thread, jobject object) {
  Wait wait;
  if (!running() || !waits_.end({fields_.id(jni, thread), WaitFor::kEnter}, wait)) return;
  Ended ended{.kind = EventKind::kMonitorEnter, .start_ticks = wait.start_ticks, .owner = wait.owner};
  ended.duration_ns = base::now_ticks() - wait.start_ticks;
  ended.owner_word = wait.owner_word;
  ended.detail = lock_shape({.address = wait.monitor != 0 ? wait.monitor : object_at(object)});
  wait_is_over(jni, ended, object, {Note::kLocksShort, Note::kLocksShortUs});
}

void LockClock::wait_begins(JNIEnv* jni, jthread thread, jlong timeout_ms) {
  if (!running()) return;
  Wait wait{.start_ticks = base::now_ticks(), .timeout_ms = timeout_ms};
  if (fields_.java_thread(jni, thread) == 0) keep_stack(wait);
  waits_.begin({fields_.id(jni, thread), WaitFor::kNotify}, wait);
}

// A virtual thread is told that its wait is over while its frames still lie in the heap.
void LockClock::keep_stack(Wait& wait) {
  ThreadRecord* thread = session_.threads.current();
  if (thread == nullptr || thread->java_thread == 0) return;
  const AnchoredStack stack(session_.sampler, *thread, teller_of_event(session_.sampler));
  const EpochPin pin;
  if (!pin) return;
  wait.stack = stack.tag(*pin);
  wait.epoch_serial = pin->serial();
}

void LockClock::keep_waits() {
  if (!running()) return;
  if (const EpochPin pin; pin) waits_.keep_stacks(*pin);
}

// Which monitor it was the VM does not say before or after: the address is the object's.
void LockClock::wait_ends(JNIEnv* jni, jthread thread, jobject object, bool timed_out) {
  Wait wait;
  if (!running() || !waits_.end({fields_.id(jni, thread), WaitFor::kNotify}, wait)) return;
  Ended ended{.kind = EventKind::kMonitorWait, .start_ticks = wait.start_ticks};
  ended.begun = &wait;
  ended.duration_ns = base::now_ticks() - wait.start_ticks;
  ended.detail = lock_shape({.address = object_at(object), .timeout = wait.timeout_ms, .timed_out = timed_out});
  wait_is_over(jni, ended, object, {Note::kWaitsShort, Note::kWaitsShortUs});
}

// What the thread has noted for the JVM's own thread dumps is there still.
void LockClock::park_ended(JNIEnv* jni, int64_t start_ticks, int64_t duration_ns, bool is_absolute, int64_t time) {
  if (!running()) return;
  Ended ended{.kind = EventKind::kThreadPark, .start_ticks = start_ticks, .duration_ns = duration_ns};
  LockEvent event;
  if (is_absolute)
    event.until = time;
  else if (time != 0)
    event.timeout = time;
  jobject blocker = nullptr;
  jthread thread = nullptr;
  if (duration_ns >= threshold() && session_.jvmti->GetCurrentThread(&thread) == JVMTI_ERROR_NONE) {
    blocker = fields_.park_blocker(jni, thread);
    if (blocker != nullptr) event.address = object_at(blocker);
  }
  ended.detail = lock_shape(event);
  wait_is_over(jni, ended, blocker, {Note::kParksShort, Note::kParksShortUs});
  if (blocker != nullptr) jni->DeleteLocalRef(blocker);
  if (thread != nullptr) jni->DeleteLocalRef(thread);
}

void LockClock::sleep_ended(JNIEnv* jni, int64_t start_ticks, int64_t duration_ns, int64_t wanted_ns) {
  if (!running()) return;
  Ended ended{.kind = EventKind::kThreadSleep, .start_ticks = start_ticks, .duration_ns = duration_ns};
  ended.detail = lock_shape({.timeout = wanted_ns});
  wait_is_over(jni, ended, nullptr, {Note::kSleepsShort, Note::kSleepsShortUs});
}

void LockClock::wait_is_over(JNIEnv* jni, const Ended& wait, jobject object, const Short& when_short) {
  // acquire: pairs with the release in ActiveRecording::start().
  if (!session_.takes_events.load(std::memory_order_acquire)) return;
  LossCounters& losses = Engine::losses();
  if (wait.duration_ns < threshold()) {
    losses.note(when_short.count);
    return losses.note(when_short.time_us, static_cast<uint64_t>(wait.duration_ns) / 1000);
  }
  const jclass mirror = object == nullptr ? nullptr : jni->GetObjectClass(object);
  losses.note(record(wait, mirror) ? Note::kLockWaits : Note::kLockWaitsLost);
  if (mirror != nullptr) jni->DeleteLocalRef(mirror);
}

bool LockClock::record(const Ended& wait, jclass mirror) {
  ThreadRecord* thread = session_.threads.current();
  if (thread == nullptr || thread->java_thread == 0) return false;
  const AnchoredStack stack(session_.sampler, *thread, teller_of_event(session_.sampler));
  const EpochPin pin;
  if (!pin) return false;
  DetailShape detail = wait.detail;
  if (mirror != nullptr) detail.klass = class_fact(session_.vm.layout, *pin, mirror);
  if (wait.owner.epoch_serial == pin->serial()) detail.thread = wait.owner.thread, detail.stack = wait.owner.stack;
  if (!detail.thread && wait.owner_word != 0) detail.thread = owner_by_word(*pin, wait.owner_word);
  Event event;
  event.kind = wait.kind;
  event.ticks = wait.start_ticks;
  event.thread = session_.sampler.thread_fact(*pin, *thread);
  if (wait.begun != nullptr) event.stack = wait.begun->stack_in(*pin);
  if (!event.stack) event.stack = stack.tag(*pin);
  event.other = pin->copy_detail(detail).unit;
  event.value = static_cast<uint64_t>(wait.duration_ns);
  if (event.other == 0 || !pin->commit(session_.sampler.context_of_caller(*pin, thread), event)) return false;
  const Ref<ThreadFact> own =
      wait.kind == EventKind::kThreadPark ? own_fact(session_.vm.layout, *pin, *thread) : event.thread;
  return event.thread == own || record_pinned(*pin, event, own);
}

// A virtual thread that parks in its carrier's park has kept it.
bool LockClock::record_pinned(Epoch& epoch, Event event, Ref<ThreadFact> carrier) {
  DetailShape detail = lock_shape({});
  detail.thread = carrier;
  event.kind = EventKind::kThreadPinned;
  event.other = epoch.copy_detail(detail).unit;
  return event.other != 0 && epoch.commit(event);
}

// Who held it when the wait began, if the VM's word for that is the thread or its id.
Ref<ThreadFact> LockClock::owner_by_word(Epoch& epoch, uint64_t word) {
  Ref<ThreadFact> owner;
  session_.threads.for_each([&](ThreadRecord& record) {
    // What a carrier holds (to 23), a virtual thread holds, and nobody knows afterwards which.
    if (owner || is_carrier(record) || !is_owner(session_.vm.layout, word, record.java_thread, record.java_id)) return;
    owner = own_fact(session_.vm.layout, epoch, record);
  });
  return owner;
}

}  // namespace rec::agent
