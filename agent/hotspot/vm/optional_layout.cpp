// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/optional_layout.h"

#include <string>

#include "agent/hotspot/vm/vm_tables.h"

namespace rec::agent::asgst {
namespace {

// To 20, and from 21 on.
std::optional<int64_t> flag(const VmTables& tables, const char* name) {
  const auto old_name = tables.constant(("ConstMethod::_" + std::string(name)).c_str());
  return old_name ? old_name : tables.constant(("ConstMethodFlags::_misc_" + std::string(name)).c_str());
}

bool load_annotations(const VmTables& tables, OptionalLayout& layout) {
  constexpr const char* kNames[] = {"has_method_annotations", "has_parameter_annotations", "has_type_annotations",
                                    "has_default_annotations"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    const auto value = flag(tables, kNames[i]);
    if (!value) return false;
    layout.annotations[i] = static_cast<uint32_t>(*value);
  }
  return true;
}

}  // namespace

OptionalLayout load_optional_layout(const VmTables& tables) {
  OptionalLayout layout;
  if (const auto offset = tables.offset("ConstantPool", "_generic_signature_index"))
    layout.pool_generic_signature = static_cast<uint32_t>(*offset);
  if (const auto offset = tables.offset("InstanceKlass", "_constants"))
    layout.klass_constants = static_cast<uint32_t>(*offset);
  if (const auto offset = tables.offset("InstanceKlass", "_methods_jmethod_ids"))
    layout.klass_jmethod_ids = static_cast<uint32_t>(*offset);
  const auto generic = flag(tables, "has_generic_signature");
  if (generic && load_annotations(tables, layout)) layout.has_generic_signature = static_cast<uint32_t>(*generic);
  return layout;
}

}  // namespace rec::agent::asgst
