// SPDX-License-Identifier: Apache-2.0
#include "agent/process/loaded_libraries.h"

#include <link.h>

#include <algorithm>

#include "base/small_file.h"

namespace rec::agent {
namespace {

constexpr int kGoOn = 0, kEnough = 1;

LoadedLibrary described(const dl_phdr_info& info) {
  LoadedLibrary library;
  library.name = info.dlpi_name;
  uint64_t begin = UINT64_MAX, end = 0;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    begin = std::min<uint64_t>(begin, info.dlpi_addr + segment.p_vaddr);
    end = std::max<uint64_t>(end, info.dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  if (end != 0) library.base = begin, library.top = end;
  return library;
}

}  // namespace

uint64_t library_changes() {
  uint64_t changes = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* changes_at) {
        *static_cast<uint64_t*>(changes_at) = info->dlpi_adds + info->dlpi_subs;
        return kEnough;
      },
      &changes);
  return changes;
}

std::vector<LoadedLibrary> loaded_libraries() {
  std::vector<LoadedLibrary> all;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* list) {
        static_cast<std::vector<LoadedLibrary>*>(list)->push_back(described(*info));
        return kGoOn;
      },
      &all);
  for (LoadedLibrary& library : all)
    if (library.name.empty()) library.name = base::read_link("/proc/self/exe");  // the program has no name of its own
  return all;
}

}  // namespace rec::agent
