// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/native_modules.h"

#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

#include "agent/hotspot/walk/library_numbers.h"
#include "agent/hotspot/x86_64/safe_copy.h"
#include "agent/hotspot/x86_64/safe_load.h"
#include "agent/process/loaded_libraries.h"
#include "recorder/symbols/elf_symbols.h"

namespace rec::agent {
namespace {

constexpr size_t kMostNotes = 4096;  // bytes
constexpr uint64_t kMappedPage = 4096;

// The loader has told where it is, and keeps it there meanwhile.
std::string read_build_id(const dl_phdr_info& info, uint64_t& at) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type != PT_NOTE || header.p_memsz > kMostNotes) continue;
    std::vector<uint8_t> notes(header.p_memsz);
    if (!safe_copy(notes.data(), reinterpret_cast<const void*>(info.dlpi_addr + header.p_vaddr), notes.size()))
      continue;
    std::span<const uint8_t> id;
    const std::string text = build_id_in(notes, &id);
    if (id.size() < sizeof(uint64_t)) continue;
    at = info.dlpi_addr + header.p_vaddr + static_cast<uint64_t>(id.data() - notes.data());
    return text;
  }
  return {};
}

NativeModule module_of(const dl_phdr_info& info) {
  NativeModule module;
  module.bias = info.dlpi_addr;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    const uint64_t begin = info.dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_GNU_EH_FRAME) module.eh_frame_header = begin;
    if (header.p_type == PT_LOAD && (header.p_flags & PF_X)) {
      module.low = module.low == 0 ? begin : std::min(module.low, begin);
      module.high = std::max(module.high, begin + header.p_memsz);
    }
  }
  return module;
}

// As mmap() was told: whole pages, of the first executable segment.
LoadPlace load_place_of(const dl_phdr_info& info, const NativeModule& module) {
  LoadPlace place;
  place.bias = info.dlpi_addr;
  place.begin = module.low & ~(kMappedPage - 1);
  place.end = (module.high + kMappedPage - 1) & ~(kMappedPage - 1);
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    const bool is_first = header.p_type == PT_LOAD && info.dlpi_addr + header.p_vaddr == module.low;
    if (is_first) place.file_offset = header.p_offset & ~(kMappedPage - 1);
  }
  return place;
}

template <typename List>
struct Collector {
  List* list;
  uint32_t limit;
};

template <typename List>
int collect(dl_phdr_info* info, size_t, void* data) {
  auto* collector = static_cast<Collector<List>*>(data);
  NativeModule module = module_of(*info);
  if (module.high == 0 || collector->list->count >= collector->limit) return 0;
  module.mark_at = module.eh_frame_header != 0 ? module.eh_frame_header + 4 : module.low;  // behind its constant head
  const std::string build_id = read_build_id(*info, module.mark_at);
  module.mark = u64_at(module.mark_at);
  module.number = number_library(info->dlpi_name, build_id, load_place_of(*info, module));
  collector->list->modules[collector->list->count++] = module;
  return 0;
}

}  // namespace

void NativeModules::refresh() {
  // acquire: pairs with the release below: generation_ is that of the list.
  if (refreshing_.exchange(true, std::memory_order_acquire)) return;
  const uint64_t generation = library_changes();
  if (list_.load(std::memory_order_relaxed) == nullptr || generation != generation_) list_anew(generation);
  refreshing_.store(false, std::memory_order_release);  // pairs with the acquire above
}

void NativeModules::list_anew(uint64_t generation) {
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
  uint64_t mark = 0;
  return load64(module.mark_at, mark) && mark == module.mark;
}

}  // namespace rec::agent
