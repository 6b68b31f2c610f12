// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/mount_notices.h"

#include <dlfcn.h>

#include "agent/hotspot/vm/vm_tables.h"
#include "agent/hotspot/x86_64/safe_load.h"
#include "agent/process/elf_symbols.h"

namespace rec::agent {
namespace {

constexpr char kWord[] = "_ZN27JvmtiVTMSTransitionDisabler25_VTMS_notify_jvmti_eventsE";

constexpr uint32_t kFirst = 21, kLast = 25;  // versions that have the word

bool has_word() {
  const auto tables = VmTables::open();
  const auto version = tables ? tables->address("Abstract_VM_Version", "_vm_major_version") : std::nullopt;
  const uint32_t major = version ? u32_at(*version) : 0;
  return major >= kFirst && major <= kLast;
}

// Among tens of thousands of symbols: some milliseconds.
uint8_t* find_word() {
  if (!has_word()) return nullptr;
  const void* inside = dlsym(RTLD_DEFAULT, "gHotSpotVMStructs");
  Dl_info library{};
  if (inside == nullptr || dladdr(inside, &library) == 0 || library.dli_fname == nullptr) return nullptr;
  uint64_t found = 0;
  ElfSymbols(library.dli_fname).each([&](const ElfSymbols::Symbol& symbol) {
    if (symbol.size == 1 && symbol.name == kWord) found = symbol.value;
    return found == 0;
  });
  return found == 0 ? nullptr : static_cast<uint8_t*>(library.dli_fbase) + found;
}

}  // namespace

QuietMounts::QuietMounts() : word_(find_word()) {
  if (word_ != nullptr && *word_ != 0) word_ = nullptr;
}

QuietMounts::~QuietMounts() {
  if (word_ != nullptr && *word_ == 1) *word_ = 0;
}

}  // namespace rec::agent
