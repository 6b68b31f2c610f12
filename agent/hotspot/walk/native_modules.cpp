// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/native_modules.h"

#include <link.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agent/hotspot/processor/safe_copy.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/walk/library_numbers.h"
#include "agent/hotspot/walk/loader_list.h"
#include "agent/process/loaded_libraries.h"
#include "agent/process/page_size.h"
#include "base/mapped_files.h"
#include "recorder/symbols/elf_symbols.h"

namespace rec::agent {
namespace {

constexpr size_t kMostNotes = 4096;  // bytes

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
  place.begin = module.low & ~(kPageBytes - 1);
  place.end = (module.high + kPageBytes - 1) & ~(kPageBytes - 1);
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    const bool is_first = header.p_type == PT_LOAD && info.dlpi_addr + header.p_vaddr == module.low;
    if (is_first) place.file_offset = header.p_offset & ~(kPageBytes - 1);
  }
  return place;
}

struct Listed {
  NativeModule module;
  std::string path, build_id;
  LoadPlace place;
};

struct Collector {
  const link_map* first_record;
  size_t limit;
  std::vector<Listed> all{};
  std::optional<LoaderList> loader{};  // if it is needed
};

int collect(dl_phdr_info* info, size_t, void* data) {
  auto* collector = static_cast<Collector*>(data);
  NativeModule module = module_of(*info);
  if (module.high == 0 || collector->all.size() >= collector->limit) return 0;
  module.mark_at = module.eh_frame_header != 0 ? module.eh_frame_header + 4 : module.low;  // behind its constant head
  std::string build_id = read_build_id(*info, module.mark_at);
  module.mark = u64_at(module.mark_at);
  if (build_id.empty()) {
    if (!collector->loader) collector->loader.emplace(collector->first_record);
    module.load = collector->loader->load_of(*info);
  }
  collector->all.push_back({module, info->dlpi_name, std::move(build_id), load_place_of(*info, module)});
  return 0;
}

// The files of libraries without a build id, but of those that have a number.
void look_for_files(std::span<Listed> all) {
  std::optional<base::MappedFiles> files;
  for (Listed& each : all) {
    if (!each.build_id.empty() || each.module.number != 0) continue;
    if (!files) files.emplace();
    each.place.file = files->at(each.module.low, each.path.empty() ? "/proc/self/exe" : each.path);
  }
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
  Collector collector{first_record(), kMaxModules};
  dl_iterate_phdr(collect, &collector);
  const List* const before = list_.load(std::memory_order_relaxed);
  for (Listed& each : collector.all)
    if (before != nullptr && each.module.load) each.module.number = before->number_of(each.module.load);
  look_for_files(collector.all);
  // Else the mapping of a library that came meanwhile may have been looked at: it has no number until the next look.
  const bool unchanged = library_changes() == generation;
  std::vector<NativeModule> modules;
  for (Listed& each : collector.all) {
    if (each.module.number == 0 && (unchanged || !each.build_id.empty()))
      each.module.number = number_library(each.path.c_str(), each.build_id, each.place);
    modules.push_back(each.module);
  }
  std::ranges::sort(modules, {}, &NativeModule::low);
  generation_ = generation;
  List& next = before == &lists_[0] ? lists_[1] : lists_[0];
  next.write(modules);
  // release: pairs with the acquire in find().
  list_.store(&next, std::memory_order_release);
}

void NativeModules::List::write(std::span<const NativeModule> modules) {
  const uint32_t version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  // release: pairs with the fence in find(): who sees a word of what follows sees that version, or a later one.
  std::atomic_thread_fence(std::memory_order_release);
  for (size_t i = 0; i < modules.size(); ++i) {
    const auto words = std::bit_cast<std::array<uint64_t, kWords>>(modules[i]);
    for (size_t w = 0; w < kWords; ++w) modules_[i][w].store(words[w], std::memory_order_relaxed);
  }
  count_.store(static_cast<uint32_t>(modules.size()), std::memory_order_relaxed);
  // release: pairs with the acquire in find(): all of the list is there.
  version_.store(version + 2, std::memory_order_release);
}

NativeModule NativeModules::List::module_of(const Words& words) {
  static_assert(offsetof(NativeModule, low) == 0 && offsetof(NativeModule, high) == sizeof(uint64_t));
  std::array<uint64_t, kWords> copy;
  for (size_t w = 0; w < kWords; ++w) copy[w] = words[w].load(std::memory_order_relaxed);
  return std::bit_cast<NativeModule>(copy);
}

uint16_t NativeModules::List::number_of(const LibraryLoad& load) const {
  const uint32_t count = std::min(count_.load(std::memory_order_relaxed), kMaxModules);
  for (uint32_t i = 0; i < count; ++i)
    if (const NativeModule each = module_of(modules_[i]); each.load == load) return each.number;
  return 0;
}

bool NativeModules::List::search(uint64_t pc, NativeModule& module) const {
  const uint32_t count = std::min(count_.load(std::memory_order_relaxed), kMaxModules);
  uint32_t low = 0, high = count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (high_of(modules_[middle]) <= pc)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == count || pc < low_of(modules_[low])) return false;
  module = module_of(modules_[low]);
  return true;
}

NativeModules::List::Search NativeModules::List::find(uint64_t pc, NativeModule& module) const {
  // acquire: pairs with the release in write(), of the list as it is.
  const uint32_t version = version_.load(std::memory_order_acquire);
  const bool found = search(pc, module);
  // acquire: pairs with the fence in write().
  std::atomic_thread_fence(std::memory_order_acquire);
  if (version % 2 != 0 || version_.load(std::memory_order_relaxed) != version) return Search::kBeingWritten;
  return found ? Search::kFound : Search::kNotThere;
}

bool NativeModules::find(uint64_t pc, NativeModule& module) const {
  constexpr int kTries = 3;  // who is overtaken twice more has been standing for a second
  for (int i = 0; i < kTries; ++i) {
    // acquire: pairs with the release in list_anew().
    const List* list = list_.load(std::memory_order_acquire);
    if (list == nullptr) return false;
    const List::Search how = list->find(pc, module);
    if (how == List::Search::kNotThere) return false;
    uint64_t mark = 0;
    if (how == List::Search::kFound)
      return load64(module.mark_at, mark) && mark == module.mark && is_still_loaded(module.load);
  }
  return false;
}

}  // namespace rec::agent
