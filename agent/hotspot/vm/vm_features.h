// SPDX-License-Identifier: Apache-2.0
// What this VM's layout allows, for those who offer it to others.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

struct VmFeatures {
  uint32_t major = 0;  // of the version: 17, 25
  bool method_generics = false, class_generics = false;
  bool class_modifiers = false;
  bool method_ids = false;            // jmethodIDs can be found
  bool method_ids_lead_back = false;  // each is the address of a word with the Method*
  bool class_mirrors = false;         // lead to their classes
  bool compile_levels = false;        // of compiled code
};

VmFeatures features_of(const Layout& layout);

}  // namespace rec::agent
