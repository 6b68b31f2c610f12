// SPDX-License-Identifier: Apache-2.0
// Where a thread is, by JavaThread::_thread_state (src/hotspot/share/utilities/globalDefinitions.hpp). A transition
// counts as the state that it leaves. Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent {

enum class VmState : uint8_t { kUnknown, kNew, kInJava, kInVm, kInNative, kBlocked };
const char* vm_state_name(VmState state);  // "in Java", "in VM", ...

}  // namespace rec::agent
