// SPDX-License-Identifier: Apache-2.0
// What asgst.h tells beyond names, and a VM may leave out: where generic signatures and jmethodIDs lie. Filled once
// from the exported tables; kAbsent turns one capability off. But for load_optional_layout(): Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {
class VmTables;
}

namespace rec::agent::asgst {

struct OptionalLayout {
  uint32_t pool_generic_signature = kAbsent;  // u2, index of the class's; 0: none
  uint32_t klass_constants = kAbsent;         // InstanceKlass::_constants
  uint32_t klass_jmethod_ids = kAbsent;       // InstanceKlass::_methods_jmethod_ids

  // Flags of a ConstMethod. What each of annotations stands for takes a word at its very end, and the index of the
  // generic signature is the u2 before those (src/hotspot/share/oops/constMethod.cpp, last_u2_element()).
  uint32_t has_generic_signature = kAbsent;
  uint32_t annotations[4] = {};

  bool method_generics() const { return has_generic_signature != kAbsent; }
};

OptionalLayout load_optional_layout(const VmTables& tables);

}  // namespace rec::agent::asgst
