// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/vm_state.h"

namespace rec::agent {

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

}  // namespace rec::agent
