// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/class_methods.h"

#include "agent/hotspot/vm/method_parts.h"

namespace rec::agent {
namespace {

constexpr uint32_t kSearchedMethods = 4096;  // of a class that is searched

// The function stands right behind the Method (Method::native_function_addr(), src/hotspot/share/oops/method.hpp).
uint64_t function_of(const Layout& layout, uint64_t method) {
  if (method == 0 || layout.method.header == kAbsent || !is_native(layout, method)) return 0;
  return u64_at(method + layout.method.header);
}

}  // namespace

uint64_t find_method(const Layout& layout, uint64_t klass, const char* name, const char* descriptor) {
  const uint64_t methods = u64_at(klass + layout.instance_klass.methods);
  const uint32_t count = u32_at(methods);
  for (uint32_t i = 0; i < count && i < kSearchedMethods; ++i) {
    const uint64_t method = u64_at(methods + layout.instance_klass.method_array_data + 8ull * i);
    MethodParts parts;
    if (!read_parts(layout, method, parts)) continue;
    const auto is = [&](uint32_t field, const char* text) {
      return symbol_equals(layout, pool_symbol(layout, parts.constants, u16_at(parts.const_method + field)), text);
    };
    if (!is(layout.const_method.name, name)) continue;
    if (descriptor == nullptr || is(layout.const_method.signature, descriptor)) return method;
  }
  return 0;
}

uint64_t native_function(const Layout& layout, uint64_t klass, const char* name, const char* descriptor) {
  return klass == 0 ? 0 : function_of(layout, find_method(layout, klass, name, descriptor));
}

}  // namespace rec::agent
