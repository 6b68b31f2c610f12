// SPDX-License-Identifier: Apache-2.0
// What a visit to a thread finds out of its waits for a CPU (cpu_waits.h).
#include <atomic>

#include "agent/hotspot/vm/java_thread.h"
#include "agent/wall/wall_watch.h"

namespace rec::agent {

bool WallWatch::has_lost_its_cpu(const Watched& watched) {
  return watched.waits.matter() && !is_blocked(watched) && is_ready(watched) &&
         random_.next() < watched.waits.chance_of_lost(switches_of(tasks_, watched.os_id));
}

bool WallWatch::is_blocked(const Watched& watched) const {
  return vm_state(vm_.layout, watched.stood.state) == VmState::kBlocked;
}

bool WallWatch::is_ready(const Watched& watched) {
  OsState state;
  return read_stat(tasks_, watched.os_id, state) && state.state == 'R';
}

void WallWatch::find_wait(Watched& watched, const WallLook& look) {
  if (!watched.waits.matter()) return;
  using Where = CpuWaits::Where;
  using Began = CpuWaits::Began;
  const double looks =
      static_cast<double>(look.ticks - watched.ledger.last_ticks()) / static_cast<double>(interval_ns());
  const Where where = look.place == 0 ? Where::kInJava : is_blocked(watched) ? Where::kBlocked : Where::kOutside;
  if (look.does == WallDoes::kRuns) return watched.waits.found_running(where, looks);
  if (look.does == WallDoes::kWaitsForCpu) return watched.waits.found_waiting(where, Began::kAsItLostItsCpu, looks);
  if (is_ready(watched)) watched.waits.found_waiting(where, Began::kAsItWoke, looks);
}

void WallWatch::read_waits(Watched& watched, bool yields) {
  const bool was_held_up = held_up_ticks_.load(std::memory_order_relaxed) > watched.ledger.last_ticks();
  watched.waits.count(run_delay_ns(tasks_, watched.os_id), {watched.held != 0, was_held_up, watched.yields, yields},
                      [&] { return switches_of(tasks_, watched.os_id); });
}

// A thread that has lost its CPU in the VM, to the one that looks as a rule, seems to stand there.
WallDoes WallWatch::met_at_first(const Watched& watched, WallDoes does) {
  return does == WallDoes::kStands && is_ready(watched) ? WallDoes::kWaitsForCpu : does;
}

}  // namespace rec::agent
