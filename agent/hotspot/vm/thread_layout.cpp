// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/thread_layout.h"

#include "agent/hotspot/vm/vm_tables.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

struct StateRow {
  const char* name;
  VmState state;
  bool in_transition;
};
constexpr StateRow kStateRows[] = {
    {"_thread_new", VmState::kNew, false},
    {"_thread_new_trans", VmState::kNew, true},
    {"_thread_in_native", VmState::kInNative, false},
    {"_thread_in_native_trans", VmState::kInNative, true},
    {"_thread_in_vm", VmState::kInVm, false},
    {"_thread_in_vm_trans", VmState::kInVm, true},
    {"_thread_in_Java", VmState::kInJava, false},
    {"_thread_in_Java_trans", VmState::kInJava, true},
    {"_thread_blocked", VmState::kBlocked, false},
    {"_thread_blocked_trans", VmState::kBlocked, true},
};

struct OffsetRow {
  uint32_t ThreadLayout::*target;
  const char* type;
  const char* field;
};
constexpr OffsetRow kOffsets[] = {
    {&ThreadLayout::pending_monitor, "JavaThread", "_current_pending_monitor"},
    {&ThreadLayout::pending_monitor, "Thread", "_current_pending_monitor"},
    {&ThreadLayout::waiting_monitor, "JavaThread", "_current_waiting_monitor"},
    {&ThreadLayout::waiting_monitor, "Thread", "_current_waiting_monitor"},
    {&ThreadLayout::monitor_object, "ObjectMonitor", "_object"},
    {&ThreadLayout::monitor_owner, "ObjectMonitor", "_owner"},
    {&ThreadLayout::lock_stack, "JavaThread", "_lock_stack"},
    {&ThreadLayout::lock_stack_top, "LockStack", "_top"},
    {&ThreadLayout::lock_stack_base, "LockStack", "_base[0]"},
    {&ThreadLayout::object_klass, "oopDesc", "_metadata._klass"},
    {&ThreadLayout::klass_mirror, "Klass", "_java_mirror"},
    {&ThreadLayout::source_file, "ConstantPool", "_source_file_name_index"},
};

}  // namespace

const char* vm_state_name(VmState state) {
  switch (state) {
    case VmState::kNew: return "new";
    case VmState::kInJava: return "in Java";
    case VmState::kInVm: return "in VM";
    case VmState::kInNative: return "in native";
    case VmState::kBlocked: return "blocked";
    case VmState::kUnknown: break;
  }
  return "unknown";
}

void load_thread_layout(const Layout& layout, ThreadLayout& out) {
  const auto tables = VmTables::open();
  if (!tables) return;
  for (const StateRow& row : kStateRows) {
    const auto number = tables->constant(row.name);
    if (!number || *number < 0 || *number >= ThreadLayout::kStates) continue;
    out.states[*number] = row.state;
    out.in_transition[*number] = row.in_transition;
  }
  for (const OffsetRow& row : kOffsets)
    if (const auto offset = tables->offset(row.type, row.field)) out.*row.target = static_cast<uint32_t>(*offset);
  out.owner_is_id = layout.vm_major >= 24;
  auto base = tables->address("CompressedKlassPointers", "_base");
  if (!base) base = tables->address("CompressedKlassPointers", "_narrow_klass._base");
  auto shift = tables->address("CompressedKlassPointers", "_shift");
  if (!shift) shift = tables->address("CompressedKlassPointers", "_narrow_klass._shift");
  if (base) out.narrow_klass_base = u64_at(*base);
  if (shift) out.narrow_klass_shift = u32_at(*shift);
}

}  // namespace rec::agent
