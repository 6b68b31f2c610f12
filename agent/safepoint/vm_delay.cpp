// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/vm_delay.h"

#include "agent/process/os_state.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

int64_t since(int64_t before, int64_t now) { return before < 0 || now < before ? kUnknownNs : now - before; }

}  // namespace

VmDelay::VmDelay(int32_t vm_thread) : vm_thread_(vm_thread) {}

VmDelay::Figures VmDelay::read() const {
  if (vm_thread_ == 0) return {-1, -1, quota_.throttled_ns()};
  return {task_cpu_ns(vm_thread_), run_delay_ns(vm_thread_), quota_.throttled_ns()};
}

void VmDelay::note(int64_t now) {
  if (now - noted_ticks_ < kNoteNs) return;
  noted_ticks_ = now;
  before_ = read();
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
