// SPDX-License-Identifier: Apache-2.0
#include "agent/nativemem/malloc_sampling.h"

#include <unistd.h>

#include "agent/heap/allocation_weight.h"
#include "agent/heap/reservoir.h"
#include "agent/hotspot/processor/signal_context.h"
#include "agent/sampling/chance_of_now.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {

constinit REC_HANDLER_LOCAL MallocSampling::Own MallocSampling::own_;

void MallocSampling::start(VmSession& session, int64_t interval, bool follows) {
  followed_.clear();
  events_.open(session);
  follows_.store(follows, std::memory_order_relaxed);
  process_.store(getpid(), std::memory_order_relaxed);
  random_.store(chance_of_now(), std::memory_order_relaxed);
  change(interval);
}

void MallocSampling::change(int64_t interval) {
  interval_.store(interval, std::memory_order_relaxed);
  if (++last_number_ == kOff) ++last_number_;
  // release: pairs with the acquire in look_closer(): what a sample needs is there.
  number_.store(last_number_, std::memory_order_release);
}

void MallocSampling::stop() {
  number_.store(kOff, std::memory_order_relaxed);
  followed_.clear();
}

// What a forked child says would go into the spool of its parent.
bool MallocSampling::is_forked() const { return getpid() != process_.load(std::memory_order_relaxed); }

void MallocSampling::look_closer(void* at, size_t size) {
  // acquire: pairs with the release in change().
  const uint32_t number = number_.load(std::memory_order_acquire);
  if (number == kOff) return own_.countdown.rest(kOff);
  const int64_t interval = interval_.load(std::memory_order_relaxed);
  const uint64_t random = next_random(random_), other_random = next_random(random_);
  if (!own_.countdown.comes_due(size, interval, number, random, other_random)) return;
  const ErrnoSaver errno_saver;
  if (own_.inside || is_forked()) return;
  own_.inside = true;
  sample(reinterpret_cast<uint64_t>(at), size, interval);
  own_.inside = false;
}

void MallocSampling::sample(uint64_t address, size_t size, int64_t interval) {
  const auto weight = static_cast<uint64_t>(allocation_weight(static_cast<int64_t>(size), interval));
  LossCounters& losses = Engine::losses();
  const bool follows = follows_.load(std::memory_order_relaxed);
  if (follows && !followed_.add(address)) {
    losses.note(Note::kMallocsUnfollowed);
    return losses.note(Note::kMallocBytesLost, weight);
  }
  const MallocEvents::Outcome outcome = events_.allocated({address, size});
  if (outcome == MallocEvents::Outcome::kWritten) return losses.note(Note::kMallocs);
  if (follows) followed_.remove(address);
  if (outcome == MallocEvents::Outcome::kNotRecording) return;
  losses.note(Note::kMallocsLost);
  losses.note(Note::kMallocBytesLost, weight);
}

void MallocSampling::end(void* at) { freed(at, taken(at)); }

MallocSampling::Taken MallocSampling::taken(void* at) {
  if (!followed_.remove(reinterpret_cast<uint64_t>(at))) return {};
  return {true, base::now_ticks()};
}

void MallocSampling::freed(void* at, const Taken& as_of) {
  if (!as_of.followed || !running()) return;
  const ErrnoSaver errno_saver;
  if (is_forked()) return;
  const MallocEvents::Outcome outcome = events_.freed(reinterpret_cast<uint64_t>(at), as_of.ticks);
  if (outcome == MallocEvents::Outcome::kNotRecording) return;
  Engine::losses().note(outcome == MallocEvents::Outcome::kWritten ? Note::kFrees : Note::kFreesLost);
}

void MallocSampling::kept(void* at, const Taken& as_of) {
  if (as_of.followed && !followed_.add(reinterpret_cast<uint64_t>(at))) Engine::losses().note(Note::kFreesLost);
}

}  // namespace rec::agent
