// SPDX-License-Identifier: Apache-2.0
// The VM's flags of -XX, by name: JVMFlag::flags is an array of JVMFlag::numFlags records with a name and the address of
// the value (src/hotspot/share/runtime/flags/jvmFlag.hpp). Ordinary threads; slow, a search by name.
#pragma once

namespace rec::agent {

// Of a flag that is a bool: where its value is. Null: this VM has none of that name.
bool* vm_flag(const char* name);
inline bool vm_flag_is_set(const char* name) {
  const bool* const flag = vm_flag(name);
  return flag != nullptr && *flag;
}

// Virtual threads are mounted on others, and not platform threads themselves (-XX:-VMContinuations); true where nothing is told.
inline bool has_continuations() {
  const bool* const flag = vm_flag("VMContinuations");
  return flag == nullptr || *flag;
}

}  // namespace rec::agent
