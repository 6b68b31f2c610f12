// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/safepoint_reports.h"

#include <algorithm>

#include "agent/process/os_state.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr uint32_t kUptimeTries = 20, kUptimeEach = 16;  // looks
constexpr uint64_t kNativeThread = 1ull << 48;           // in the id of a thread that is not Java's

// Between two of the VM's notes; one that it does not make is not known.
int64_t between(int64_t from, int64_t to) { return from == 0 || to == 0 ? kUnknownNs : to - from; }

}  // namespace

SafepointReports::SafepointReports(std::string log) : log_(std::move(log)), vm_thread_(os_thread_named("VM Thread")) {}

void SafepointReports::note_uptime(PerfWords& counters, int64_t now) {
  const int64_t uptime_ns = counters.noted_uptime_ns();
  if (uptime_ns > 0) {
    vm_begin_ticks_ = std::min(vm_begin_exact_ ? vm_begin_ticks_ : INT64_MAX, now - uptime_ns);
    vm_begin_exact_ = true;
  } else if (vm_begin_ticks_ == INT64_MAX) {
    if (const int64_t begin_ms = counters.begin_unix_ms(); begin_ms > 0)
      vm_begin_ticks_ = now - (base::now_unix_ns() - begin_ms * 1'000'000);
  }
  // The VM adds that word to the others a little after it lets agents in.
  if (uptime_ns == 0 && tries_ < kUptimeTries && ++looks_ % kUptimeEach == 0) ++tries_, counters.open();
}

int64_t SafepointReports::uptime_ns(int64_t ticks) const {
  if (begin_ticks_ > 0) return ticks - begin_ticks_;
  return vm_begin_ticks_ == INT64_MAX ? kUnknownNs : ticks - vm_begin_ticks_;
}

bool SafepointReports::write(TimeToSafepoint& stall, const std::vector<LateThread>& late) {
  stall.uptime_ns = uptime_ns(stall.start_ticks);
  log_.write(stall, late);
  const EpochPin pin;
  return pin && commit(*pin, stall, vm_thread(*pin));
}

bool SafepointReports::write(const SafepointTrack::Stop& stop, SafepointStop event) {
  const SafepointParts& parts = stop.parts;
  event.id = static_cast<int64_t>(stop.number);
  event.start_ticks = parts.asked;
  event.duration_ns = parts.ended - parts.asked;
  event.uptime_ns = uptime_ns(parts.asked);
  // What comes after a part that is not noted belongs to the part before.
  const int64_t done = parts.leaving == 0 ? parts.ended : parts.leaving;
  const int64_t work = parts.cleaned == 0 ? parts.reached : parts.cleaned;
  event.reaching_ns = between(parts.asked, parts.reached);
  event.cleanup_ns = between(parts.reached, parts.cleaned);
  event.at_ns = between(work, done);
  event.leaving_ns = between(parts.leaving, parts.ended);
  event.threads = parts.reached == 0 ? -1 : stop.threads;
  event.running = parts.reached == 0 ? -1 : stop.running;
  const EpochPin pin;
  return pin && commit(*pin, event, vm_thread(*pin));
}

Ref<ThreadFact> SafepointReports::vm_thread(Epoch& epoch) const {
  constexpr char kName[] = "VM Thread";
  if (vm_thread_ == 0) return {};
  ThreadShape shape;
  shape.id = static_cast<ThreadId>(kNativeThread | static_cast<uint64_t>(vm_thread_));
  shape.os_thread_id = vm_thread_;
  shape.os_name = {kName, sizeof kName - 1};
  return epoch.copy_thread(shape);
}

}  // namespace rec::agent
