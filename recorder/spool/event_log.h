// SPDX-License-Identifier: Apache-2.0
// The slots of an epoch's event log. Events of all kinds have one size, so that recovery can step over a slot whose
// writer died between claim and commit: it stays zero. Signal-safe.
//
//   writer:    claim a slot -> fill it -> store `kind` last (release)
//   recorder:  read slots in order, up to the first whose `kind` is zero
//
//   +------+-------+--------+----------------+-------+-------+-------+
//   | kind | check | thread | stack or extra | other | ticks | value |   32 bytes
//   +------+-------+--------+----------------+-------+-------+-------+
//   0      1       4        8                12      16      24      32
//
// The check is made of all the other fields, and stored with the kind: a slot that was changed later is told from one
// that was committed. Three multiplications and what they wait for.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>

#include "recorder/spool/facts.h"
#include "recorder/spool/meter.h"

namespace rec {

enum class EventKind : uint32_t {
  kNone = 0,
  kSample,       // thread, stack, value = state << 32 | weight
  kThreadStart,  // thread = the new one, other = the parent thread's fact (or 0)
  kThreadEnd,    // thread
  kClassUnload,  // thread = who reports it, other = the class' fact
  kGc,           // ticks = start, value = duration in ticks, extra = gc id, other = gc_kind()
  kShutdown,     // thread
  kEncoded,      // thread, stack, value = duration, other = the EncodedFact with all the other fields
  kAllocation,   // thread, stack, other = the class' fact, value = weight in bytes
  kWallSample,   // thread, stack, value = state << 48 | length in ns, other = intervals that it stands for
  kLiveObject,   // thread, stack, other = the DetailFact, value: live_object.h
  // Waits that are over (lock_event.h): thread, stack, ticks = start, value = duration, other = the DetailFact
  kMonitorEnter,
  kMonitorWait,
  kThreadPark,
  kThreadSleep,
  kThreadPinned,
  kException,  // thread, stack, other = the class' fact, value = how many it stands for
  kContext,    // the request that the event in the next slot was taken in: context_event.h
};

constexpr bool is_wait(EventKind kind) { return kind >= EventKind::kMonitorEnter && kind <= EventKind::kThreadPinned; }

// Shape of an event before it is committed.
struct Event {
  EventKind kind = EventKind::kNone;
  int64_t ticks = 0;  // CLOCK_MONOTONIC, ns
  Ref<ThreadFact> thread;
  Ref<StackFact> stack;  // kGc has none
  uint32_t other = 0;    // a Ref's unit; what it is depends on the kind
  uint32_t extra = 0;    // kGc only: it takes the stack's place in the slot
  uint64_t value = 0;
};

struct EventSlot {
  std::atomic<uint32_t> kind;  // and check << 8
  uint32_t thread;
  uint32_t stack_or_extra;
  uint32_t other;
  int64_t ticks;
  uint64_t value;
};
static_assert(sizeof(EventSlot) == 32, "recovery counts on it");

// The first word of a slot that holds these. A sum of products with odd factors: no single bit can change alone.
inline uint32_t checked_kind(uint32_t kind, const EventSlot& slot) {
  const uint64_t refs = slot.thread | uint64_t{slot.stack_or_extra} << 32, rest = slot.other | uint64_t{kind} << 32;
  const uint64_t sum = refs * 0x9E3779B97F4A7C15u + rest * 0xC2B2AE3D27D4EB4Fu +
                       static_cast<uint64_t>(slot.ticks) * 0x165667B19E3779F9u + slot.value * 0xD6E8FEB86659FD93u;
  return static_cast<uint32_t>(sum >> 40 << 8) | kind;
}

// JVMTI's thread state bits, as JFR's ThreadState constants.
inline constexpr uint32_t kStateRunnable = 5;
constexpr uint64_t sample_value(uint32_t state, uint32_t weight) { return static_cast<uint64_t>(state) << 32 | weight; }
constexpr uint32_t sample_state(uint64_t value) { return static_cast<uint32_t>(value >> 32); }
constexpr uint32_t sample_weight(uint64_t value) { return static_cast<uint32_t>(value); }

constexpr uint64_t wall_value(uint32_t state, int64_t length_ns) {
  return uint64_t{state} << 48 | (static_cast<uint64_t>(length_ns) & ((uint64_t{1} << 48) - 1));
}
constexpr uint32_t wall_state(uint64_t value) { return static_cast<uint32_t>(value >> 48); }
constexpr int64_t wall_length_ns(uint64_t value) { return static_cast<int64_t>(value & ((uint64_t{1} << 48) - 1)); }

// Which collector, and why: keys of collection_constants.h. 0: a spool of before, which does not tell.
constexpr uint32_t gc_kind(uint64_t name, uint64_t cause) { return static_cast<uint32_t>(cause << 16 | name); }
constexpr uint32_t gc_name(uint32_t kind) { return kind & 0xffff; }
constexpr uint32_t gc_cause(uint32_t kind) { return kind >> 16; }

inline void fill_slot(EventSlot& slot, const Event& event) {
  slot.thread = event.thread.unit;
  slot.stack_or_extra = event.kind == EventKind::kGc ? event.extra : event.stack.unit;
  slot.other = event.other;
  slot.ticks = event.ticks;
  slot.value = event.value;
  // release: pairs with the acquire in read_slot().
  slot.kind.store(checked_kind(static_cast<uint32_t>(event.kind), slot), std::memory_order_release);
}

// False: the slot is not committed (yet).
inline bool read_slot(const EventSlot& slot, Event& event) {
  // acquire: pairs with the release in fill_slot(); the other words are complete, and so are the facts they name.
  event.kind = static_cast<EventKind>(slot.kind.load(std::memory_order_acquire) & 0xff);
  if (event.kind == EventKind::kNone) return false;
  const bool has_extra = event.kind == EventKind::kGc;
  event.thread = {slot.thread};
  event.stack = {has_extra ? 0 : slot.stack_or_extra};
  event.extra = has_extra ? slot.stack_or_extra : 0;
  event.other = slot.other;
  event.ticks = slot.ticks;
  event.value = slot.value;
  return true;
}

// Of a dead process: whether a slot is what was committed, or was never committed.
inline bool slot_intact(const EventSlot& slot) {
  const uint32_t word = slot.kind.load(std::memory_order_relaxed);
  return word == 0 || word == checked_kind(word & 0xff, slot);
}

// One epoch's log: slots and their Meter, both in the spool.
class EventLog {
 public:
  EventLog() = default;
  EventLog(EventSlot* slots, Meter* meter) : slots_(slots), meter_(meter) {}

  // From any thread, also in a handler. Full or contended: the caller counts a Loss.
  Meter::Claim commit(const Event& event) {
    assert(event.kind != EventKind::kNone && "a slot of kind 0 is one that nobody has committed");
    const Meter::Claim claim = meter_->claim(1);
    if (claim.outcome == Meter::Outcome::kTaken) fill_slot(slots_[claim.at], event);
    return claim;
  }

  // Likewise, side by side, both or none: who has read the context finds the event committed.
  Meter::Claim commit(const Event& context, const Event& event) {
    assert(context.kind == EventKind::kContext && "others are events by themselves");
    const Meter::Claim claim = meter_->claim(2);
    if (claim.outcome != Meter::Outcome::kTaken) return claim;
    fill_slot(slots_[claim.at + 1], event);
    fill_slot(slots_[claim.at], context);
    return claim;
  }

  // Recorder thread: false if the slot is not committed (yet).
  bool read(uint32_t index, Event& event) const {
    assert(index < meter_->tail.load(std::memory_order_relaxed) && "slots beyond claimed() may have no blocks");
    return read_slot(slots_[index], event);
  }
  // Of a dead process: whether a slot is what was committed, or was never committed.
  bool intact(uint32_t index) const { return slot_intact(slots_[index]); }
  EventSlot& slot(uint32_t index) const { return slots_[index]; }  // likewise, to take out what is not

  // Recorder thread. acquire: pairs with the exchange in Meter::claim(); a writer claims what its event refers to
  // first.
  uint32_t claimed() const { return meter_->tail.load(std::memory_order_acquire); }

 private:
  EventSlot* slots_ = nullptr;
  Meter* meter_ = nullptr;
};

}  // namespace rec
