// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/method_proof.h"

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/method_parts.h"

namespace rec::agent {
namespace {

constexpr uint32_t kMostMethods = 1 << 16;  // a class file counts them with two bytes

bool points(uint64_t address) { return address != 0 && (address & 7) == 0; }

// The first function of its vtable, which archives of classes copy (src/hotspot/share/cds/cppVtables.cpp): objects of
// one class have it in common wherever they lie.
uint64_t first_virtual(uint64_t object) { return u64_at(u64_at(object)); }

bool leads_back(const Layout& layout, uint64_t address) {
  MethodParts parts;
  if (!points(address) || !read_parts(layout, address, parts)) return false;
  if (!points(parts.const_method) || !points(parts.constants) || !points(parts.klass)) return false;
  const uint64_t methods = u64_at(parts.klass + layout.instance_klass.methods);
  const uint32_t count = u32_at(methods);
  if (!points(methods) || count == 0 || count >= kMostMethods) return false;
  const uint64_t listed = methods + layout.instance_klass.method_array_data;
  const uint16_t number = u16_at(parts.const_method + layout.const_method.idnum);
  if (number < count && u64_at(listed + 8ull * number) == address) return true;
  const uint64_t known = first_virtual(u64_at(listed));
  return known != 0 && first_virtual(address) == known;
}

}  // namespace

bool MethodProof::is_method(const Layout& layout, uint64_t address) {
  if (!points(address)) return false;
  const uint64_t vtable = u64_at(address);
  for (const auto& known : vtables_)
    if (vtable != 0 && known.load(std::memory_order_relaxed) == vtable) return true;
  if (!leads_back(layout, address)) return false;
  remember(vtable);
  return true;
}

// Each address stands for itself: nothing else has to be seen with it.
void MethodProof::remember(uint64_t vtable) {
  for (auto& place : vtables_) {
    uint64_t free = 0;
    if (place.compare_exchange_strong(free, vtable, std::memory_order_relaxed) || free == vtable) return;
  }
}

}  // namespace rec::agent
