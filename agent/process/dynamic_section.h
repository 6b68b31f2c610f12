// SPDX-License-Identifier: Apache-2.0
// DynamicSection is what a loaded library has for its loader (ELF gABI, chapter 5): pairs of a tag (DT_SYMTAB, ...) and a
// value. Ordinary threads, inside of dl_iterate_phdr(): the library stays meanwhile.
#pragma once

#include <link.h>

#include <cstdint>

namespace rec::agent {

class DynamicSection {
 public:
  explicit DynamicSection(const dl_phdr_info& info) : base_(info.dlpi_addr) {
    for (int i = 0; i < info.dlpi_phnum; ++i)
      if (info.dlpi_phdr[i].p_type == PT_DYNAMIC)
        first_ = reinterpret_cast<const ElfW(Dyn)*>(base_ + info.dlpi_phdr[i].p_vaddr);
  }

  // Calls visit(tag, value) for each.
  template <typename Visit>
  void each(Visit visit) const {
    if (first_ == nullptr) return;
    for (const ElfW(Dyn)* entry = first_; entry->d_tag != DT_NULL; ++entry) visit(entry->d_tag, entry->d_un.d_val);
  }

  // What a value that is an address leads to: glibc makes addresses of these, other loaders leave them relative to the base.
  template <typename T>
  const T* at(uintptr_t value) const {
    return reinterpret_cast<const T*>(value < base_ ? base_ + value : value);
  }

 private:
  const uintptr_t base_;
  const ElfW(Dyn) * first_ = nullptr;
};

}  // namespace rec::agent
