// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/vm_session.h"

#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/vm/calibration.h"
#include "agent/hotspot/vm/java_fields.h"
#include "agent/hotspot/vm/vm_flags.h"
#include "agent/options/log.h"

namespace rec::agent {

std::string VmSession::open(JNIEnv* jni) {
  if (opened) return {};
  if (!install_fault_handler()) return "lets nobody handle SIGSEGV";
  if (const std::string why = open_vm_code(vm, jni); !why.empty()) return why;
  if (!java_threads.open(jvmti, jni, vm.layout)) return "has threads without the fields eetop and tid";
  jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_DYNAMIC_CODE_GENERATED, nullptr);
  jvmti->GenerateEvents(JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
  if (!vm.reads_chunks && has_virtual_threads(vm.layout) && has_continuations())
    say(LogLevel::kWarn, "this VM keeps the stacks of virtual threads in a way that is not known: they are truncated");
  opened = true;
  return {};
}

void VmSession::look_again() { calibrate(vm.layout); }

}  // namespace rec::agent
