// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/vm_library.h"

#include <dlfcn.h>

#include "recorder/symbols/elf_symbols.h"

namespace rec::agent {
namespace {

constexpr uint64_t kVtableHead = 16;  // a vtable's symbol stands so far before what objects point to

}  // namespace

VmLibrary::VmLibrary() {
  const void* inside = dlsym(RTLD_DEFAULT, "gHotSpotVMStructs");
  Dl_info library{};
  if (inside == nullptr || dladdr(inside, &library) == 0 || library.dli_fname == nullptr) return;
  path_ = library.dli_fname;
  base_ = reinterpret_cast<uint64_t>(library.dli_fbase);
}

void VmLibrary::find(std::initializer_list<Wanted> wanted) const {
  size_t left = wanted.size();
  ElfSymbols(path_.c_str()).each([&](const ElfSymbols::Symbol& symbol) {
    for (const Wanted& each : wanted)
      if (symbol.name == each.symbol) each.address = base_ + symbol.value, --left;
    return left != 0;
  });
}

std::string VmLibrary::vtable_symbol(uint64_t vtable) const {
  std::string found;
  ElfSymbols(path_.c_str()).each([&](const ElfSymbols::Symbol& symbol) {
    if (symbol.value + kVtableHead + base_ == vtable && symbol.name.starts_with("_ZTV")) found = symbol.name;
    return found.empty();
  });
  return found;
}

}  // namespace rec::agent
