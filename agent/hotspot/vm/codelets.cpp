// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/codelets.h"

#include <cstring>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint32_t kCodeletHeader = 16;  // sizeof(InterpreterCodelet), before alignment of the code

// "method entry point (kind = zerolocals)", "native method entry point (kind = native)", and so on.
bool is_method_entry(uint64_t description) {
  constexpr char kEntry[] = {'m', 'e', 't', 'h', 'o', 'd', ' ', 'e', 'n', 't', 'r', 'y'};
  constexpr uint64_t kNativeLength = 7;  // of "native "
  char text[kNativeLength + sizeof kEntry];
  if (!safe_copy(text, reinterpret_cast<const void*>(description), sizeof text)) return false;
  return std::memcmp(text, kEntry, sizeof kEntry) == 0 || std::memcmp(text + kNativeLength, kEntry, sizeof kEntry) == 0;
}

}  // namespace

bool read_codelets(const Layout& layout, InterpreterMap& map) {
  uint64_t codelet = layout.interpreter.begin;
  while (codelet + kCodeletHeader < layout.interpreter.end) {
    const uint32_t size = u32_at(codelet + layout.interpreter.codelet_size);
    if (size < kCodeletHeader || codelet + size > layout.interpreter.end) break;
    if (is_method_entry(u64_at(codelet + layout.interpreter.codelet_description)))
      map.add_entry(codelet + kCodeletHeader, codelet + size);
    codelet += size;
  }
  map.add_exits(layout.interpreter.begin, layout.interpreter.end);
  return map.builds_frames();
}

}  // namespace rec::agent
