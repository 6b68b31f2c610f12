// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/vm_features.h"

namespace rec::agent {
namespace {

constexpr uint32_t kIdsAreNumbers = 26;  // the version from which on a jmethodID is no address (JDK-8268406)

}  // namespace

VmFeatures features_of(const Layout& layout) {
  VmFeatures features;
  features.major = layout.vm_major;
  features.method_generics = layout.const_method.has_generic_signature != kAbsent;
  features.class_generics =
      layout.constant_pool.generic_signature != kAbsent && layout.instance_klass.constants != kAbsent;
  features.class_modifiers = layout.klass.access_flags != kAbsent;
  features.method_ids = layout.instance_klass.jmethod_ids != kAbsent;
  features.method_ids_lead_back = features.method_ids && layout.vm_major < kIdsAreNumbers;
  features.compile_levels = layout.nmethod.level != kAbsent;
  features.class_mirrors = layout.mirror.klass != kAbsent;
  return features;
}

}  // namespace rec::agent
