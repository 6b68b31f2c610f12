// SPDX-License-Identifier: Apache-2.0
// What a visit to a thread sees, and what is written of it.
#include <algorithm>

#include "agent/hotspot/walk/tagger.h"
#include "agent/hotspot/walk/wait_state.h"
#include "agent/sampling/stand_in.h"
#include "agent/sampling/thread_facts.h"
#include "agent/wall/wall_watch.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

constexpr int kWalkTries = 3;

}  // namespace

// False: the thread has gone.
bool WallWatch::visit(Watched& watched, Epoch& epoch) {
  settle(watched);
  if (!is_alive(watched)) return false;
  WallLook look{
      base::now_ticks(), task_cpu_ns(watched.os_id), 0, frozen_ns_.load(std::memory_order_relaxed), WallDoes::kStands,
      watched.held};
  Owner owner{watched.context, watched.own().id};
  if (look.cpu_ns < 0) return false;
  const bool stood = still_stands(watched, look.cpu_ns);
  // It came there just before its epoch was over.
  const bool has_lost_stack = stood && !places_.stack(watched.held);
  if ((!stood || has_lost_stack) && !look_closer(watched, epoch, look, owner))
    return true;  // it is on its way; the next visit tells
  const bool yields = look.does == WallDoes::kStands && look.place != 0 && places_.state(look.place) == kStateRunnable;
  if (has_lost_stack && look.does == WallDoes::kStands) watched.ledger.stands_at(look.place);
  if (!yields) find_wait(watched, look);
  if (!stood) read_waits(watched, yields);
  look.delay_ns = watched.waits.lost_ns();
  if (!watched.met) watched.met = met_at_first(watched, look.does);
  take_over(watched, epoch, watched.ledger.look(look), owner.carried);
  watched.context = owner.context;
  watched.yields = yields;
  const bool stands = look.does == WallDoes::kStands;
  stand(watched, stands ? look.place : 0);
  watched.cpu_ns = stands ? look.cpu_ns : -1;
  watched.proof_ticks = 0;
  if (!stands) return true;
  if (watched.ledger.standing_ns() >= kWriteNs) write_standing(watched, epoch);
  watched.java_thread = watched.record->java_thread;
  watched.proof_ticks = look.ticks + next_proof_ns(watched);
  return true;
}

void WallWatch::write_standing(Watched& watched, Epoch& epoch) {
  if (const auto span = watched.ledger.cut()) write(watched, epoch, *span);
}

// acquire: pairs with the releases in ThreadRegistry: the record stands for the same thread still.
bool WallWatch::is_alive(const Watched& watched) const {
  return watched.record->os_id.load(std::memory_order_acquire) == watched.os_id && watched.record->java_thread != 0;
}

// Needs no call of the system, and not the record: one that has ended is out of watched_, or its memory is read safely.
bool WallWatch::seems_to_stand(const Watched& watched, int64_t now) const {
  return now < watched.proof_ticks && OutsideWalk::place_of(vm_.layout, watched.java_thread) == watched.stood;
}

bool WallWatch::still_stands(const Watched& watched, int64_t cpu_ns) const {
  return watched.held != 0 && watched.cpu_ns == cpu_ns && task_clock_is_exact() &&
         OutsideWalk::place_of(vm_.layout, watched.record->java_thread) == watched.stood;
}

// Who runs on a CPU is told by its clock, wherever it is. In Java it runs or waits for a CPU; nobody sleeps there.
bool WallWatch::look_closer(Watched& watched, Epoch& epoch, WallLook& look, Owner& owner) {
  using Outcome = OutsideWalk::Outcome;
  for (int i = 0; i < kWalkTries; ++i) {
    const bool last_try = i + 1 == kWalkTries;
    const Outcome outcome = outside_.begin(watched.record->java_thread, last_try ? 0 : watched.os_id);
    look.place = 0;
    const ThreadRecord& record = *watched.record;
    owner.carried = carried_thread_id(vm_.layout, record.java_thread, record.java_id, watched.carried);
    owner.context = requests_.context_of(record, owner.carried);
    if (outcome == Outcome::kInJava) {
      const bool runs = !task_clock_is_exact() || has_run_since(look, watched.os_id);
      look.does = runs ? WallDoes::kRuns : WallDoes::kWaitsForCpu;
      return true;
    }
    if (outcome == Outcome::kMoved) continue;
    const Walk& walk = outside_.walk();
    HashedFrames frames =
        Tagger(vm_.layout, epoch).stack(walk, outside_.frames().data(), nullptr, frames_.data()).frames;
    const bool is_empty = frames.frames.empty();
    const auto java = outside_.frames().subspan(outside_.native_on_top());
    const uint64_t top = java.empty() ? 0 : java.front().method;
    const uint32_t state = wait_state(vm_.layout, watched.record->java_thread, top);
    if (owner.carried != 0) virtual_fact(watched, epoch, watched.virtual_of(owner.carried));
    if (!outside_.confirm()) continue;
    if (is_empty) {
      frames_[0] = stand_in_frame(epoch, WalkEnd::kNoJavaFrame);
      frames = hashed({frames_.data(), 1});
    }
    const bool runs = has_run_since(look, watched.os_id);
    if (runs && outside_.native_on_top() > 0) continue;  // what it stood in may have been others' frames
    watched.stood = outside_.place();
    const bool yields = state == kStateRunnable, waits = !runs && !yields && has_lost_its_cpu(watched);
    look.does = runs ? WallDoes::kRuns : waits ? WallDoes::kWaitsForCpu : WallDoes::kStands;
    look.place = places_.enter(epoch, frames, walk.truncated() && !is_empty, runs || waits ? kStateRunnable : state);
    return look.place != 0;
  }
  return false;
}

bool WallWatch::has_run_since(const WallLook& look, int32_t os_id) { return task_cpu_ns(os_id) > look.cpu_ns; }

// What has stood is of the thread that it carried then; what it runs in now, of the one that was seen there. Where another
// one has come since, it is asked itself.
void WallWatch::take_over(Watched& watched, Epoch& epoch, const WallLedger::Over& over, int64_t carried) {
  if (over.stood) write(watched, epoch, *over.stood);
  watched.carries(carried);
  if (!over.ran) return;
  if (cpu_time_ == WallLedger::CpuTime::kElsewhere) return hand_over(watched, *over.ran);
  const bool is_known = over.ran->place != 0 && (carried == 0 || virtual_fact(watched, epoch, watched.own()));
  is_known ? write(watched, epoch, *over.ran) : ask(watched, *over.ran);
}

void WallWatch::stand(Watched& watched, uint64_t place) {
  if (place == watched.held) return;
  places_.hold(place);
  places_.let_go(watched.held);
  watched.held = place;
  watched.since_ticks = watched.ledger.last_ticks();
}

void WallWatch::write(Watched& watched, Epoch& epoch, const WallSpan& span) {
  watched.written_ns += span.length_ns;
  const uint32_t state = span.ran ? kStateRunnable : span.place == 0 ? kStateSleeping : places_.state(span.place);
  // Where it stood, in the request that it was seen in; where it ran, nobody has looked.
  commit(epoch, sample_of(span, state), fact_of(watched, epoch), shown(epoch, places_.stack(span.place)),
         span.ran ? Event() : SampleContexts::event_of(epoch, watched.context));
}

// A frame stands in for a stack that nobody has seen, or that its epoch had no room to keep.
Ref<StackFact> WallWatch::shown(Epoch& epoch, Ref<StackFact> stack) {
  if (stack) return stack;
  frames_[0] = stand_in_frame_without_walk(epoch, NoWalk::kNotSeen);
  return epoch.intern_hashed(hashed({frames_.data(), 1}), false, 0);
}

// What it ran, or waited to run, and nobody has seen was near to where its clock met it last. acquire: pairs with the releases in
// Sampler::commit; a tick in between has another stack.
void WallWatch::write_last(Watched& watched, Epoch& epoch, const WallSpan& ran) {
  const ThreadRecord& record = *watched.record;
  const uint64_t last = record.last_stack.load(std::memory_order_acquire);
  const uint32_t thread = record.last_thread.load(std::memory_order_acquire);
  const bool is_seen = last >> 32 == epoch.serial() && record.last_stack.load(std::memory_order_relaxed) == last;
  if (ran.place != 0 || !is_seen) return write(watched, epoch, ran);
  commit(epoch, sample_of(ran, kStateRunnable), Ref<ThreadFact>{thread}, Ref<StackFact>{static_cast<uint32_t>(last)});
}

void WallWatch::ask(Watched& watched, const WallSpan& ran) {
  watched.asked = requests_.try_ask(watched.os_id, sample_of(ran, kStateRunnable));
  watched.asked_ns = ran.length_ns;
  watched.written_ns += ran.length_ns;
  if (watched.asked < 0) take_back(watched);
}

void WallWatch::hand_over(Watched& watched, const WallSpan& waited) {
  watched.record->waited_ns.fetch_add(waited.length_ns, std::memory_order_relaxed);
  watched.written_ns += waited.length_ns;
}

// Those that its clock has not written: there was no tick since.
int64_t WallWatch::take_back_waits(Watched& watched) {
  const int64_t left_ns = watched.record->waited_ns.exchange(0, std::memory_order_relaxed);
  watched.written_ns -= left_ns;
  return left_ns;
}

void WallWatch::settle(Watched& watched) {
  if (watched.asked < 0) return;
  if (!requests_.take(watched.asked)) take_back(watched);
  watched.asked = -1;
}

void WallWatch::take_back(Watched& watched) {
  watched.ledger.give_back(watched.asked_ns);
  watched.written_ns -= watched.asked_ns;
}

// Nothing: another one has come before its name was read. In a new epoch a name that cannot be read again is that of before.
Ref<ThreadFact> WallWatch::virtual_fact(Watched& watched, Epoch& epoch, Watched::Virtual& its) {
  if (const Ref<ThreadFact> known = epoch.find_thread(its.tag)) return known;
  if (auto name = carried_name(vm_.layout, *watched.record, its.id, watched.carried)) its.name = std::move(name);
  if (!its.name) return {};
  return tag_virtual(epoch, its.id, {its.name->data(), static_cast<uint16_t>(its.name->size())}, its.tag);
}

Ref<ThreadFact> WallWatch::fact_of(Watched& watched, Epoch& epoch) {
  Ref<ThreadFact> fact;
  if (watched.own().id != 0) fact = virtual_fact(watched, epoch, watched.own());
  if (fact) return fact;
  threads_.exclusively([&] {
    if (is_alive(watched)) fact = own_fact(vm_.layout, epoch, *watched.record);
  });
  return fact;
}

WallSample WallWatch::sample_of(const WallSpan& span, uint32_t state) {
  const double samples = static_cast<double>(span.length_ns) / static_cast<double>(interval_ns());
  return {span.begin_ticks, span.length_ns, state, static_cast<uint32_t>(random_.rounded(samples))};
}

}  // namespace rec::agent
