// SPDX-License-Identifier: Apache-2.0
// Session is what asgst.h has of the VM: once opened it lives as long as the process, beside recordings and independent
// of them (an environment of JVMTI, a layout and a table of threads of its own).
//
//   closed -- open_session() fails --> closed, with the error and its reason
//   closed -- open_session() ------->  open, for good
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <atomic>
#include <cstdint>

#include "agent/asgst/thread_table.h"
#include "agent/hotspot/vm/thread_fields.h"
#include "agent/hotspot/vm/vm_state.h"
#include "agent/hotspot/walk/stack_walker.h"

namespace rec::agent::asgst {

// Which thread a stack is of.
struct StackOwner {
  VmState state = VmState::kUnknown;
  int64_t java_id = 0, virtual_id = 0;
};

struct Session {
  JavaVM* java_vm = nullptr;
  jvmtiEnv* jvmti = nullptr;
  VmCode vm;
  ThreadTable threads;
  ThreadFields fields;
  uint16_t vm_library = 0;                // the number of the VM's own
  int flags = 0;                          // ASGST_OPEN_...
  std::atomic<uint32_t> capabilities{0};  // ASGST_CAN_..., some of which are known later only

  const Layout& layout() const { return vm.layout; }
  // The environment of the calling thread, nullptr when Java does not know it. Ordinary threads.
  JNIEnv* jni() const;
};

// Signal-safe. nullptr until it is open.
Session* session();
// Signal-safe. What a call returns that found no session, and why, as the rest of a sentence that begins with "this
// VM".
int closed_error();
const char* closed_reason();

// Ordinary threads. An ASGST_Error.
int open_session(JavaVM* vm, int flags);

// Signal-safe. The JavaThread of a thread that is alive and whose id this is, or 0.
uint64_t java_thread_of(const Session& session, int32_t os_id);
// Signal-safe. What a thread with this JavaThread is, and does.
StackOwner owner_of(const Session& session, int32_t os_id, uint64_t java_thread);

}  // namespace rec::agent::asgst
