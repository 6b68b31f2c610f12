// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/vm_delay.h"

#include "agent/process/os_state.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

int64_t since(int64_t before, int64_t now) { return before < 0 || now < before ? kUnknownNs : now - before; }

}  // namespace

VmDelay::VmDelay(int32_t vm_thread) : vm_thread_(vm_thread) {}

VmDelay::Figures VmDelay::read() {
  if (vm_thread_ == 0) return {-1, -1, quota_.throttled_ns()};
  return {task_cpu_ns(vm_thread_), run_delay_ns(vm_thread_), quota_.throttled_ns()};
}

void VmDelay::note(int64_t now) {
  if (now - noted_ticks_ < kNoteNs) return;
  noted_ticks_ = now;
  note_thread();
  if (!quota_.has_run() && now - quota_ticks_ < kQuotaNs) return;
  quota_ticks_ = now;
  before_.throttled_ns = quota_.throttled_ns();
}

// The system counts a wait for a CPU when it is over: who has not run has not waited.
void VmDelay::note_thread() {
  if (vm_thread_ == 0) return;
  const int64_t cpu_ns = task_cpu_ns(vm_thread_);
  if (cpu_ns >= 0 && cpu_ns == before_.cpu_ns) return;
  before_.cpu_ns = cpu_ns;
  before_.run_delay_ns = run_delay_ns(vm_thread_);
}

void VmDelay::begin(int64_t id) {
  if (id == id_) return;
  id_ = id;
  OsState os;
  TaskDirectory tasks;
  const bool known = vm_thread_ != 0 && read_stat(tasks, vm_thread_, os);
  state_.assign(known ? 1 : 0, os.state);
}

void VmDelay::end(TimeToSafepoint& stall) {
  if (stall.id != id_ || noted_ticks_ == 0) return;
  const Figures now = read();
  stall.throttled_ns = since(before_.throttled_ns, now.throttled_ns);
  stall.vm_cpu_ns = since(before_.cpu_ns, now.cpu_ns);
  stall.vm_run_delay_ns = since(before_.run_delay_ns, now.run_delay_ns);
  stall.vm_state = state_;
  before_ = now;
  noted_ticks_ = base::now_ticks();
}

}  // namespace rec::agent
