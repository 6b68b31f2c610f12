// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/method_view.h"

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/method_parts.h"
#include "agent/hotspot/walk/tagger.h"

namespace rec::agent {
namespace {

constexpr uint64_t kLowest = 4096;            // nothing lies below
constexpr uint64_t kLimit = 1ull << 47;       // nor in the kernel's half
constexpr uint64_t kMaxClassId = 1ull << 28;  // a counter of loaded classes; an address >> 16 is larger

bool may_point(uint64_t address) { return address >= kLowest && address < kLimit && (address & 7) == 0; }

bool is_array(const TextView& name) { return u8_at(reinterpret_cast<uint64_t>(name.address)) == '['; }

// A u2 of the class's constant pool that says which of its texts is meant; 0: none.
TextView text_indexed_at(const Layout& layout, const ClassView& view, uint32_t field) {
  if (field == kAbsent || layout.instance_klass.constants == kAbsent || is_array(view.name)) return {};
  const uint64_t constants = u64_at(view.klass + layout.instance_klass.constants);
  const uint16_t index = constants == 0 ? 0 : u16_at(constants + field);
  return index == 0 ? TextView{} : pool_text(layout, constants, index);
}

}  // namespace

ClassView view_class(const Layout& layout, uint64_t klass) {
  if (!may_point(klass)) return {};
  ClassView view{klass, static_cast<uint64_t>(class_id_of(layout, klass)), {}};
  if (view.id == 0 || view.id >= kMaxClassId) return {};
  const uint64_t symbol = u64_at(klass + layout.klass.name);
  if (!may_point(symbol) || !may_point(u64_at(klass + layout.klass.loader_data))) return {};
  view.name = symbol_text(layout, symbol);
  uint8_t first = 0;
  const auto text = reinterpret_cast<uint64_t>(view.name.address);
  return view.name.size != 0 && load8(text, first) && first != 0 ? view : ClassView{};
}

TextView generic_name(const Layout& layout, const ClassView& view) {
  return text_indexed_at(layout, view, layout.constant_pool.generic_signature);
}

ClassHome home_of(const Layout& layout, const ClassView& view) {
  ClassHome home;
  home.source_file = text_indexed_at(layout, view, layout.constant_pool.source_file);
  home.module_name = class_shape_of(layout, view.klass).module_name;
  home.loader_id = static_cast<uint64_t>(loader_id_of(layout, view.klass));
  if (home.loader_id == 0) return home;
  const uint64_t loader_data = u64_at(view.klass + layout.klass.loader_data);
  home.loader_class = view_class(layout, u64_at(loader_data + layout.loader_data.klass)).name;
  if (layout.loader_data.name != kAbsent)
    home.loader_name = symbol_text(layout, u64_at(loader_data + layout.loader_data.name));
  return home;
}

int32_t class_modifiers(const Layout& layout, const ClassView& view) {
  if (layout.klass.access_flags == kAbsent) return -1;
  return static_cast<int32_t>(u16_at(view.klass + layout.klass.access_flags) & kClassModifiers);
}

ClassMethods methods_of(const Layout& layout, uint64_t klass) {
  const uint64_t array = u64_at(klass + layout.instance_klass.methods);
  return {array + layout.instance_klass.method_array_data, u32_at(array)};
}

MethodView view_method(const Layout& layout, uint64_t method) {
  if (!may_point(method)) return {};
  MethodView view;
  view.const_method = u64_at(method + layout.method.const_method);
  if (!may_point(view.const_method)) return {};
  view.constants = u64_at(view.const_method + layout.const_method.constants);
  if (!may_point(view.constants)) return {};
  view.holder = view_class(layout, u64_at(view.constants + layout.constant_pool.holder));
  if (!view.holder) return {};
  view.number = method_number_of(layout, method, view.const_method, view.holder.klass);
  if (method_name(layout, view).size == 0 || method_signature(layout, view).size == 0) return {};
  view.method = method;
  return view;
}

TextView method_name(const Layout& layout, const MethodView& view) {
  return pool_text(layout, view.constants, u16_at(view.const_method + layout.const_method.name));
}

TextView method_signature(const Layout& layout, const MethodView& view) {
  return pool_text(layout, view.constants, u16_at(view.const_method + layout.const_method.signature));
}

TextView generic_signature(const Layout& layout, const MethodView& view) {
  if (layout.const_method.has_generic_signature == kAbsent) return {};
  const uint32_t flags = u32_at(view.const_method + layout.const_method.flags);
  if ((flags & layout.const_method.has_generic_signature) == 0) return {};
  uint64_t end = end_of_const_method(layout, view.const_method);
  for (const uint32_t annotation : layout.const_method.annotations)
    if ((flags & annotation) != 0) end -= 8;
  return pool_text(layout, view.constants, u16_at(end - 2));
}

int32_t method_modifiers(const Layout& layout, const MethodView& view) {
  return static_cast<int32_t>(access_flags_of(layout, view.method) & kMethodModifiers);
}

}  // namespace rec::agent
