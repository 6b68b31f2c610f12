// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/native_modules.h"

#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "agent/process/loaded_libraries.h"

namespace rec::agent {
namespace {

template <typename List>
struct Collector {
  List* list;
  uint32_t limit;
};

template <typename List>
int collect(dl_phdr_info* info, size_t, void* data) {
  auto* collector = static_cast<Collector<List>*>(data);
  NativeModule module;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    const uint64_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_GNU_EH_FRAME) module.eh_frame_header = begin;
    if (header.p_type == PT_LOAD && (header.p_flags & PF_X)) {
      module.low = module.low == 0 ? begin : std::min(module.low, begin);
      module.high = std::max(module.high, begin + header.p_memsz);
    }
  }
  if (module.eh_frame_header != 0 && module.high != 0 && collector->list->count < collector->limit)
    collector->list->modules[collector->list->count++] = module;
  return 0;
}

}  // namespace

void NativeModules::refresh() {
  const uint64_t generation = library_changes();
  if (list_.load(std::memory_order_relaxed) != nullptr && generation == generation_) return;
  List* list = new (std::nothrow) List;
  if (list == nullptr) return;
  Collector<List> collector{list, kMaxModules};
  dl_iterate_phdr(collect<List>, &collector);
  std::sort(list->modules, list->modules + list->count,
            [](const NativeModule& a, const NativeModule& b) { return a.low < b.low; });
  generation_ = generation;
  // release: pairs with the acquire in find(). The list before stays: somebody may be searching it.
  list_.store(list, std::memory_order_release);
}

bool NativeModules::find(uint64_t pc, NativeModule& module) const {
  // acquire: pairs with the release in refresh(); a list is complete, and sorted.
  const List* list = list_.load(std::memory_order_acquire);
  if (list == nullptr) return false;
  uint32_t low = 0, high = list->count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (list->modules[middle].high <= pc)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == list->count || pc < list->modules[low].low) return false;
  module = list->modules[low];
  return true;
}

}  // namespace rec::agent
