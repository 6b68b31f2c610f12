// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/safepoint_words.h"

#include <algorithm>

#include "agent/hotspot/processor/load_order.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/state/vm_text.h"

namespace rec::agent {
namespace {

constexpr int kTries = 8;
constexpr uint32_t kNobodyWaits = 0, kAllStand = 2;  // SafepointSynchronize::_state
constexpr uint64_t kCallerAt = 8;                    // VM_Operation::_calling_thread stands behind the vtable
constexpr uint32_t kMaxTypes = 256;

uint64_t word_at(uint64_t address) { return address == 0 ? 0 : u64_at(address); }
int64_t time_at(uint64_t address) { return static_cast<int64_t>(word_at(address)); }

// Those of another safepoint, or half of this one's, are none.
bool fits(const SafepointParts& parts, SafepointPhase phase) {
  switch (phase) {
    case SafepointPhase::kNone: return parts.reached >= parts.asked && parts.ended >= parts.reached;
    case SafepointPhase::kStanding: return parts.asked > 0 && parts.reached >= parts.asked && parts.ended == 0;
    case SafepointPhase::kPending: return parts.asked > 0 && parts.reached == 0;
    default: return false;
  }
}

}  // namespace

void SafepointWords::open(const VmLibrary& library) {
  library.find({{"_ZN20SafepointSynchronize18_safepoint_counterE", counter_},
                {"_ZN20SafepointSynchronize6_stateE", state_},
                {"_ZN12VM_Operation6_namesE", names_},
                {"_ZN16SafepointTracing13_current_typeE", type_},
                {"_ZN8VMThread17_cur_vm_operationE", operation_},
                {"_ZN16SafepointTracing12_nof_threadsE", threads_},
                {"_ZN16SafepointTracing12_nof_runningE", running_},
                {"_ZN16SafepointTracing29_last_safepoint_begin_time_nsE", asked_},
                {"_ZN16SafepointTracing28_last_safepoint_sync_time_nsE", reached_},
                {"_ZN16SafepointTracing31_last_safepoint_cleanup_time_nsE", cleaned_},
                {"_ZN16SafepointTracing29_last_safepoint_leave_time_nsE", leaving_},
                {"_ZN16SafepointTracing27_last_safepoint_end_time_nsE", ended_},
                {"_ZN16SafepointTracing17_last_app_time_nsE", apart_},
                {"_ZL18initial_time_count", vm_begin_}});
  const uint64_t needed[] = {counter_, asked_, reached_, ended_, type_};
  if (std::ranges::find(needed, 0u) != std::end(needed)) state_ = 0;
}

int64_t SafepointWords::vm_begin_ticks() const { return time_at(vm_begin_); }

SafepointLook SafepointWords::look(const PerfWords& counters) {
  SafepointLook look;
  if (!present()) {
    look.counts = counters.read();
    return look;
  }
  for (int i = 0; i < kTries; ++i)
    if (try_look(counters, look)) return look;
  look = {};
  look.counts = counters.present() ? counters.read() : count();
  look.phase = SafepointPhase::kMoving;
  return look;
}

SafepointCounts SafepointWords::count() {
  for (int i = 0; i < kTries && !try_count(); ++i) {
  }
  return own_;
}

// One is asked for when its time is noted, which is before threads are told, and over when the time of that is, which is
// after they are let go. As it begins the time at which it is reached is cleared, and then the one at which it is over.
bool SafepointWords::try_count() {
  const uint64_t counter = word_at(counter_);
  const SafepointParts parts = read_parts();
  if (word_at(counter_) != counter || time_at(asked_) != parts.asked) return false;
  const bool told = counter % 2 != 0;
  const bool asked = parts.asked != 0 && parts.reached == 0 && parts.ended == 0;
  own_.requested = counter / 2 + (told || asked ? 1 : 0);
  if (parts.reached >= parts.asked && parts.reached != 0 && (told || parts.ended != 0) &&
      summed_reached_ != own_.requested) {
    own_.sync_ns += static_cast<uint64_t>(parts.reached - parts.asked);
    summed_reached_ = own_.requested;
  }
  if (!told && parts.reached >= parts.asked && parts.ended > parts.reached && summed_over_ != own_.requested) {
    own_.stopped_ns += static_cast<uint64_t>(parts.ended - parts.reached);
    summed_over_ = own_.requested;
  }
  return true;
}

bool SafepointWords::try_look(const PerfWords& counters, SafepointLook& look) {
  const auto read = [&] { return counters.present() ? counters.read() : count(); };
  if (!counters.present()) uncounted_ = 0;
  look.counts = read();
  loads_until_here();
  const uint64_t counter = word_at(counter_);
  const uint32_t state = u32_at(state_);
  look.parts = read_parts();
  const uint64_t operation = word_at(operation_);
  look.caller = operation == 0 ? 0 : u64_at(operation + kCallerAt);
  look.type = u32_at(type_);
  look.threads = threads_ == 0 ? 0 : static_cast<int32_t>(u32_at(threads_));
  look.running = running_ == 0 ? 0 : static_cast<int32_t>(u32_at(running_));
  loads_until_here();
  if (read() != look.counts || word_at(counter_) != counter || u32_at(state_) != state) return false;
  const bool told = counter % 2 != 0;
  if (told != (state != kNobodyWaits)) return false;  // on the way from one to the other
  const auto begun_more = static_cast<int64_t>(look.counts.requested - counter / 2);
  uncounted_ = std::min(uncounted_, begun_more);  // one that goes on makes it greater, never less
  const bool asked = begun_more != uncounted_;
  look.phase = !asked               ? SafepointPhase::kNone
               : state == kAllStand ? SafepointPhase::kStanding
                                    : SafepointPhase::kPending;
  return fits(look.parts, look.phase);
}

SafepointParts SafepointWords::read_parts() const {
  SafepointParts parts;
  parts.asked = time_at(asked_);
  parts.reached = time_at(reached_);
  parts.cleaned = time_at(cleaned_);
  parts.leaving = time_at(leaving_);
  parts.ended = time_at(ended_);
  parts.ended_before = parts.asked - time_at(apart_);
  // Some stay from the safepoint before until this one has them.
  if (parts.reached == 0 || parts.cleaned < parts.reached) parts.cleaned = 0;
  if (parts.reached == 0 || parts.leaving < parts.reached) parts.leaving = 0;
  return parts;
}

std::string SafepointWords::operation(uint32_t type) {
  if (names_ == 0 || type >= kMaxTypes) return {};
  if (const auto known = known_names_.find(type); known != known_names_.end()) return known->second;
  return known_names_[type] = vm_text_at(u64_at(names_ + 8 * type));
}

}  // namespace rec::agent
