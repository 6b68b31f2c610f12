// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/heap_usage.h"

#include <dlfcn.h>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/vm_flags.h"

namespace rec::agent {
namespace {

using BytesNow = int64_t (*)();

BytesNow function(const char* name) { return reinterpret_cast<BytesNow>(dlsym(RTLD_DEFAULT, name)); }

}  // namespace

uint64_t heap_used() {
  static const BytesNow total = function("JVM_TotalMemory"), free = function("JVM_FreeMemory");
  if (total == nullptr || free == nullptr) return 0;
  const int64_t unused = free(), all = total();
  return all > unused ? static_cast<uint64_t>(all - unused) : 0;
}

void CollectionCount::open(const Layout& layout) {
  constexpr uint32_t kShenandoahPauses = 4;  // a cycle
  if (vm_flag_is_set("UseShenandoahGC")) return void((steps_ = kShenandoahPauses, under_way_ = kShenandoahPauses - 1));
  if (layout.heap.collected_heap == 0 || layout.heap.total_collections == kAbsent) return;
  heap_ = u64_at(layout.heap.collected_heap);
  offset_ = layout.heap.total_collections;
  under_way_ = vm_flag_is_set("UseZGC") ? 1 : 0;
}

uint32_t CollectionCount::begun() const { return u32_at(heap_ + offset_); }

}  // namespace rec::agent
