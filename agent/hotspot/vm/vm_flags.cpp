// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/vm_flags.h"

#include <cstring>

#include "agent/hotspot/vm/vm_tables.h"

namespace rec::agent {

bool* vm_flag(const char* wanted) {
  const auto tables = VmTables::open();
  if (!tables) return nullptr;
  const auto flags = tables->address("JVMFlag", "flags"), count = tables->address("JVMFlag", "numFlags");
  const auto name = tables->offset("JVMFlag", "_name"), address = tables->offset("JVMFlag", "_addr");
  const auto size = tables->size("JVMFlag");
  if (!flags || !count || !name || !address || !size) return nullptr;
  const uint64_t table = *reinterpret_cast<const uint64_t*>(*flags);
  const uint64_t entries = *reinterpret_cast<const uint64_t*>(*count);
  for (uint64_t i = 0; i < entries && i < 10'000; ++i) {
    const auto* entry = reinterpret_cast<const char*>(table + i * *size);
    const char* text = *reinterpret_cast<const char* const*>(entry + *name);
    if (text != nullptr && std::strcmp(text, wanted) == 0) return *reinterpret_cast<bool* const*>(entry + *address);
  }
  return nullptr;
}

}  // namespace rec::agent
