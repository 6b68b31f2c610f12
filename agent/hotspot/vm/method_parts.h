// SPDX-License-Identifier: Apache-2.0
// MethodParts are what a Method leads to: its ConstMethod, that one's constant pool, and the class that holds it. For a
// Method that a frame or a class keeps alive; a pointer from elsewhere is not believed so easily (walk/method_view.h).
// Signal-safe.
#pragma once

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/layout.h"
#include "agent/hotspot/vm/symbols.h"

namespace rec::agent {

inline constexpr uint16_t kNativeMethod = 0x0100;  // JVM_ACC_NATIVE
// Access flags of the class file, which others are mixed with (jvm_constants.h).
inline constexpr uint32_t kMethodModifiers = 0x1dff;  // JVM_RECOGNIZED_METHOD_MODIFIERS
inline constexpr uint32_t kClassModifiers = 0x7fff;   // JVM_ACC_WRITTEN_FLAGS

struct MethodParts {
  uint64_t const_method = 0, constants = 0, klass = 0;
};

// False: some of it is missing.
inline bool read_parts(const Layout& layout, uint64_t method, MethodParts& parts) {
  parts.const_method = u64_at(method + layout.method.const_method);
  parts.constants = u64_at(parts.const_method + layout.const_method.constants);
  parts.klass = u64_at(parts.constants + layout.constant_pool.holder);
  return method != 0 && parts.const_method != 0 && parts.constants != 0 && parts.klass != 0;
}

// Of a bytecode's address; -1: it does not lie in the method's code.
inline int32_t bci_of(const Layout& layout, uint64_t const_method, uint64_t bytecode) {
  const uint64_t bci = bytecode - (const_method + layout.const_method.header);
  return bci < u16_at(const_method + layout.const_method.code_size) ? static_cast<int32_t>(bci) : -1;
}

// The flags of the class file, mixed with the VM's own.
inline uint32_t access_flags_of(const Layout& layout, uint64_t method) {
  const uint64_t at = method + layout.method.access_flags;
  return layout.method.access_flags_size == 2 ? u16_at(at) : u32_at(at);
}
inline bool is_native(const Layout& layout, uint64_t method) {
  return (access_flags_of(layout, method) & kNativeMethod) != 0;
}

// The symbol at an index of a constant pool: the low bit says that its class is not resolved yet.
inline uint64_t pool_symbol(const Layout& layout, uint64_t constants, uint64_t index) {
  return u64_at(constants + layout.constant_pool.header + 8 * index) & ~1ull;
}
inline TextView pool_text(const Layout& layout, uint64_t constants, uint64_t index) {
  return symbol_text(layout, pool_symbol(layout, constants, index));
}

// Where a method's compressed line table begins (line_reader.h has the format); 0: it has none.
inline uint64_t line_table_of(const Layout& layout, uint64_t const_method) {
  if ((u32_at(const_method + layout.const_method.flags) & layout.const_method.has_lines) == 0) return 0;
  return const_method + layout.const_method.header + u16_at(const_method + layout.const_method.code_size);
}

// Behind the last byte of a ConstMethod, line table included.
inline uint64_t end_of_const_method(const Layout& layout, uint64_t const_method) {
  return const_method + uint64_t{u32_at(const_method + layout.const_method.size)} * 8;
}

}  // namespace rec::agent
