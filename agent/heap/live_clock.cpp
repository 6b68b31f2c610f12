// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/live_clock.h"

#include <time.h>

#include <algorithm>
#include <bit>

#include "agent/heap/allocation_weight.h"
#include "agent/hotspot/vm/local_refs.h"
#include "agent/hotspot/walk/object_class.h"
#include "agent/sampling/anchored_stack.h"
#include "base/clock.h"
#include "base/units.h"
#include "recorder/engine/engine.h"

namespace rec::agent {

base::Status LiveClock::start(JNIEnv*, int64_t interval_bytes) {
  count_.open(session_.vm.layout);
  old_.open(session_.vm.layout);
  {
    const std::lock_guard lock(table_lock_);
    table_.keep_few(old_.known());
    running_ = true;
  }
  base::Status taken = change(interval_bytes);
  if (!taken.ok()) {
    const std::lock_guard lock(table_lock_);
    running_ = false;
  }
  return taken;
}

base::Status LiveClock::change(int64_t interval_bytes) { return heap_.take(HeapSampler::kLive, interval_bytes); }

void LiveClock::stop(JNIEnv*) {
  if (heap_.interval(HeapSampler::kLive) == 0) return;
  heap_.give_back(HeapSampler::kLive);
  write_survivors();
  {
    const std::lock_guard lock(table_lock_);
    running_ = false;
    Engine::losses().note(Note::kLiveUnproven, table_.candidates());
    table_.clear();
    const EpochPin pin;
    for (uint32_t slot = 0; pin && slot < kLiveSlots; ++slot) pin->put_live(slot, Event{});
  }
  if (JNIEnv* const jni = own_jni()) {
    const std::lock_guard look(looking_);
    free_gone(jni);
  }
}

ClockStatus LiveClock::status() {
  const int64_t interval = heap_.interval(HeapSampler::kLive);
  return {interval != 0, interval, base::size_text(interval), ""};
}

JNIEnv* LiveClock::own_jni() const {
  JNIEnv* jni = nullptr;
  return session_.java_vm->GetEnv(reinterpret_cast<void**>(&jni), JNI_VERSION_1_8) == JNI_OK ? jni : nullptr;
}

// An object of many intervals is spared as many halvings as its size is doublings of the interval.
std::optional<Reservoir::Standing> LiveClock::lets_in(jlong size) {
  const uint32_t level = level_.load(std::memory_order_relaxed);
  const auto interval = std::max<int64_t>(heap_.interval(HeapSampler::kLive), 1);
  const auto credit =
      static_cast<uint32_t>(std::bit_width(static_cast<uint64_t>(std::max<jlong>(size / interval, 1))) - 1);
  if (credit >= level) return Reservoir::Standing{0, credit};
  if (!passes(next_random(random_), level - credit)) return std::nullopt;
  return Reservoir::Standing{level - credit, credit};
}

void LiveClock::sampled(JNIEnv* jni, jobject object, jclass mirror, jlong size) {
  if (heap_.interval(HeapSampler::kLive) == 0) return;
  const uint32_t before = collections();
  if (looked_at_.load(std::memory_order_relaxed) != before && looking_.try_lock()) {
    look_at_all(jni, Want::kLife, Patience::kNone);
    looking_.unlock();
  }
  if (heap_.sampled(HeapSampler::kLive, size) == 0) return;
  LossCounters& losses = Engine::losses();
  const auto standing = lets_in(size);
  if (!standing) return losses.note(Note::kLiveDropped);
  LiveEntry entry;
  entry.born = before;
  const LiveObject facts = facts_of(jni, object, mirror, size);
  entry.weak = jni->NewWeakGlobalRef(object);
  if (entry.weak == nullptr) return jni->ExceptionClear(), losses.note(Note::kLiveDropped);
  if (record(entry, *standing, facts, mirror)) return;
  jni->DeleteWeakGlobalRef(static_cast<jweak>(entry.weak));
  losses.note(Note::kLiveDropped);
}

LiveObject LiveClock::facts_of(JNIEnv* jni, jobject object, jclass mirror, jlong size) {
  LiveObject facts;
  facts.size = static_cast<uint64_t>(size);
  facts.weight = static_cast<uint64_t>(allocation_weight(size, heap_.interval(HeapSampler::kLive)));
  facts.heap_used = heap_used_after_collection(collections());
  jboolean is_array = JNI_FALSE;
  if (session_.jvmti->IsArrayClass(mirror, &is_array) == JVMTI_ERROR_NONE && is_array)
    facts.elements = jni->GetArrayLength(static_cast<jarray>(object));
  return facts;
}

// By who allocates first after it: the nearest to the collection that a thread of Java comes.
uint64_t LiveClock::heap_used_after_collection(uint32_t collections) {
  if (heap_known_at_.exchange(collections, std::memory_order_relaxed) != collections)
    heap_used_.store(heap_used(), std::memory_order_relaxed);
  return heap_used_.load(std::memory_order_relaxed);
}

// False: it is nobody's, and the weak reference is the caller's still.
bool LiveClock::record(const LiveEntry& sampled, Reservoir::Standing standing, const LiveObject& object,
                       jclass mirror) {
  ThreadRecord* thread = session_.threads.current();
  if (thread == nullptr || thread->java_thread == 0) return false;
  const AnchoredStack stack(session_.sampler, *thread, teller_of_event(session_.sampler));
  const EpochPin pin;
  if (!pin) return false;
  LiveEntry entry = sampled;
  LiveObject facts = object;
  facts.allocated_ticks = base::now_ticks();
  entry.event.kind = EventKind::kLiveObject;
  entry.event.ticks = facts.allocated_ticks;
  entry.event.thread = session_.sampler.thread_fact(*pin, *thread);
  entry.event.stack = stack.tag(*pin);
  entry.event.other = pin->copy_detail(live_shape(facts, class_fact(session_.vm.layout, *pin, mirror))).unit;
  entry.serial = pin->serial();
  if (entry.event.other == 0) return false;
  const TableLock lock = lock_table(Patience::kNone);
  if (!lock.owns_lock() || !running_) return false;
  table_.add(entry, standing);
  note_changes();
  return true;
}

// looking_ is held. Who may not wait tries again with the next sample.
bool LiveClock::look_at_all(JNIEnv* jni, Want want, Patience patience) {
  const Moment now{collections(), old_.collections()};
  std::vector<Look> looks;
  if (!all(looks, patience)) return false;
  ask(jni, want, looks);
  if (!take_in(looks, now, patience)) return false;
  looked_at_.store(now.collections, std::memory_order_relaxed);
  free_gone(jni);
  return true;
}

LiveClock::TableLock LiveClock::lock_table(Patience patience) {
  return patience == Patience::kWaits ? TableLock(table_lock_) : TableLock(table_lock_, std::try_to_lock);
}

bool LiveClock::all(std::vector<Look>& looks, Patience patience) {
  const TableLock lock = lock_table(patience);
  if (!lock.owns_lock()) return false;
  looks.reserve(table_.candidates() + table_.survivors());
  table_.for_each([&](uint32_t place, const LiveEntry& entry) {
    looks.push_back({place, static_cast<jweak>(entry.weak), true, 0, OldGeneration::kNever});
  });
  return true;
}

void LiveClock::ask(JNIEnv* jni, Want want, std::vector<Look>& looks) const {
  for (Look& look : looks) {
    if (old_.known() && !LiveTable::is_survivor(look.place)) look.old_since = old_.in_since(look.weak);
    look.alive = !jni->IsSameObject(look.weak, nullptr);
    if (!look.alive || want == Want::kLife) continue;
    const jobject local = jni->NewLocalRef(look.weak);
    look.alive = local != nullptr;
    if (!look.alive) continue;
    look.address = object_at(local);
    jni->DeleteLocalRef(local);
  }
}

// The table may have changed since they were asked: only who stands where it stood is meant. Survivors first, whose places
// others may get.
bool LiveClock::take_in(const std::vector<Look>& looks, const Moment& now, Patience patience) {
  const EpochPin pin;
  const TableLock lock = lock_table(patience);
  if (!lock.owns_lock()) return false;
  for (auto look = looks.rbegin(); look != looks.rend(); ++look) {
    LiveEntry& entry = table_.at(look->place);
    if (entry.weak != look->weak) continue;
    if (!look->alive) {
      table_.died(look->place);
      continue;
    }
    if (look->address != 0) entry.address = look->address;
    entry.old_since = std::min(entry.old_since, look->old_since);
    if (!LiveTable::is_survivor(look->place) && has_survived(entry, now)) table_.promote(look->place);
  }
  table_.looked_at_all();
  note_changes();
  if (pin) put_survivors(*pin, now.collections);
  return true;
}

// Young collections of the generational ZGC prove nothing. Who has survived so many is in the old generation.
bool LiveClock::has_survived(LiveEntry& entry, const Moment& now) const {
  constexpr uint32_t kOldest = 16;
  const uint32_t survived = count_.survived(entry.born, now.collections);
  if (!old_.known()) return survived > 0;
  if (survived >= kOldest) entry.old_since = std::min(entry.old_since, now.old.begun);
  return now.old.over > entry.old_since;
}

void LiveClock::put_survivors(Epoch& epoch, uint32_t now) {
  const int64_t ticks = base::now_ticks();
  for (uint32_t place = LiveTable::kCandidates; place < LiveTable::kPlaces; ++place) {
    const LiveEntry& entry = table_.at(place);
    Event event;  // none: the place is free
    if (entry.weak != nullptr && entry.serial == epoch.serial())
      event = table_.event_of(place, count_.survived(entry.born, now));
    event.ticks = ticks;
    epoch.put_live(LiveTable::slot_of(place), event);
  }
}

// table_lock_ is held.
void LiveClock::note_changes() {
  level_.store(table_.level(), std::memory_order_relaxed);
  Engine::losses().note(Note::kLiveDropped, table_.take_dropped());
}

// looking_ is held.
void LiveClock::free_gone(JNIEnv* jni) {
  std::vector<void*> gone;
  if (const TableLock lock = lock_table(Patience::kNone); lock.owns_lock()) gone = table_.take_gone();
  for (void* weak : gone) jni->DeleteWeakGlobalRef(static_cast<jweak>(weak));
}

void LiveClock::write() {
  if (heap_.interval(HeapSampler::kLive) != 0) write_survivors();
}

// While a rotation carries survivors over, some belong to neither epoch: then once more.
void LiveClock::write_survivors() {
  constexpr int kTries = 100;
  constexpr int64_t kPauseNs = 5'000'000;
  JNIEnv* const jni = own_jni();
  if (jni == nullptr) return;
  {
    const std::lock_guard look(looking_);
    look_at_all(jni, Want::kAddress, Patience::kWaits);
  }
  for (int i = 0; i < kTries && !commit_survivors(i + 1 == kTries); ++i) {
    const timespec pause{0, kPauseNs};
    nanosleep(&pause, nullptr);
  }
}

bool LiveClock::commit_survivors(bool in_any_case) {
  const EpochPin pin;
  const std::lock_guard lock(table_lock_);
  if (!pin) return false;
  std::vector<Event> events;
  bool all = true;
  const int64_t now = base::now_ticks();  // of all: by it readers know what belongs together
  table_.for_each([&](uint32_t place, const LiveEntry& entry) {
    if (!LiveTable::is_survivor(place)) return;
    all = all && entry.serial == pin->serial();
    if (entry.serial != pin->serial()) return;
    events.push_back(table_.event_of(place, count_.survived(entry.born, collections())));
    events.back().ticks = now;
  });
  if (!all && !in_any_case) return false;
  for (const Event& event : events) Engine::losses().note(pin->commit(event) ? Note::kLiveObjects : Note::kLiveDropped);
  return true;
}

// What has found no room in the new epoch is let go.
void LiveClock::inherit(Carrier& carrier) {
  const std::lock_guard lock(table_lock_);
  table_.for_each([&](uint32_t place, LiveEntry& entry) {
    if (entry.serial == carrier.to().serial()) return;
    if (entry.serial != carrier.from().serial() || !carrier.carry(entry.event)) return table_.let_go(place);
    entry.serial = carrier.to().serial();
  });
  note_changes();
  put_survivors(carrier.to(), collections());
}

}  // namespace rec::agent
