// SPDX-License-Identifier: Apache-2.0
// MethodView and ClassView read what a Method* and a Klass* from a stranger lead to. A pointer is believed when every
// step can be read and ends at a class that has a number and a name; else the view is empty. Texts still lie in the VM.
// Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/layout.h"
#include "recorder/spool/facts.h"

namespace rec::agent {

struct ClassView {
  uint64_t klass = 0;  // Klass*; 0: not a class
  uint64_t id = 0;
  TextView name;
  explicit operator bool() const { return klass != 0; }
};

ClassView view_class(const Layout& layout, uint64_t klass);
// None: no generic signature, or an array.
TextView generic_name(const Layout& layout, const ClassView& view);
int32_t class_modifiers(const Layout& layout, const ClassView& view);  // -1: the VM does not tell

// Where a class comes from. None: of the boot loader, of the unnamed module, not told.
struct ClassHome {
  TextView source_file, module_name, loader_name, loader_class;
  uint64_t loader_id = 0;
};
ClassHome home_of(const Layout& layout, const ClassView& view);

// The methods that a class has now: an array of Method*.
struct ClassMethods {
  uint64_t begin = 0;
  uint32_t count = 0;
};
ClassMethods methods_of(const Layout& layout, uint64_t klass);

struct MethodView {
  uint64_t method = 0;  // Method*; 0: not a method
  uint64_t const_method = 0, constants = 0;
  ClassView holder;
  uint16_t number = 0;  // of the original version
  explicit operator bool() const { return method != 0; }
};

MethodView view_method(const Layout& layout, uint64_t method);
TextView method_name(const Layout& layout, const MethodView& view);
TextView method_signature(const Layout& layout, const MethodView& view);
TextView generic_signature(const Layout& layout, const MethodView& view);
int32_t method_modifiers(const Layout& layout, const MethodView& view);

}  // namespace rec::agent
