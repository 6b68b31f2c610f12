// SPDX-License-Identifier: Apache-2.0
// ThreadLayout is what a thread dump needs to know of HotSpot beyond the Layout: how thread states are numbered, where
// a thread notes the monitor that it waits for, and how a monitor leads to its object and its owner. Filled once from
// the exported tables (vm_tables.h), constant afterwards. Signal-safe.
//
// All of it is optional: what a VM does not export is kAbsent, and the dump says less. Verified on 17 and 25.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// Where a thread is, by JavaThread::_thread_state. A transition counts as the state that it leaves
// (src/hotspot/share/utilities/globalDefinitions.hpp).
enum class VmState : uint8_t { kUnknown, kNew, kInJava, kInVm, kInNative, kBlocked };
const char* vm_state_name(VmState state);  // "in Java", "in VM", ...

struct ThreadLayout {
  static constexpr uint32_t kStates = 16;
  VmState states[kStates] = {};
  bool in_transition[kStates] = {};

  uint32_t pending_monitor = kAbsent;  // JavaThread::_current_pending_monitor: to be entered
  uint32_t waiting_monitor = kAbsent;  // JavaThread::_current_waiting_monitor: Object.wait()
  uint32_t monitor_object = kAbsent;   // ObjectMonitor::_object, a WeakHandle: address of the slot with the object
  uint32_t monitor_owner = kAbsent;    // JavaThread*, a BasicLock on its stack, or from 24 on (JDK-8338383) its
  bool owner_is_id = false;            // _monitor_owner_id
  uint32_t lock_stack = kAbsent, lock_stack_top = kAbsent, lock_stack_base = kAbsent;  // from 21 on

  uint32_t object_klass = kAbsent;  // of the class word, compressed or not
  uint32_t klass_mirror = kAbsent;  // Klass::_java_mirror, an OopHandle
  uint64_t narrow_klass_base = 0;
  uint32_t narrow_klass_shift = 0;
  uint32_t source_file = kAbsent;  // ConstantPool::_source_file_name_index, u2

  VmState state(uint32_t word) const { return word < kStates ? states[word] : VmState::kUnknown; }
};

void load_thread_layout(const Layout& layout, ThreadLayout& out);

}  // namespace rec::agent
