// SPDX-License-Identifier: Apache-2.0
// A short text of the VM's own, by safe loads. Ordinary threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {

inline constexpr size_t kMaxVmText = 64;

// Empty: there is none of printable ASCII that ends within kMaxVmText bytes.
inline std::string vm_text_at(uint64_t address) {
  std::string text;
  if (address == 0) return text;
  for (uint8_t c = 0; text.size() < kMaxVmText && load8(address + text.size(), c); text += static_cast<char>(c)) {
    if (c == '\0') return text;
    if (c < ' ' || c > '~') break;
  }
  return {};
}

}  // namespace rec::agent
