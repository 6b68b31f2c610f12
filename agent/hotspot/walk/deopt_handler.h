// SPDX-License-Identifier: Apache-2.0
// A frame of compiled code that is no longer valid: its callee returns to the method's deopt handler, and where it would have returned
// to is kept in the frame (src/hotspot/share/code/nmethod.hpp, orig_pc_offset). For signal handlers, too.
#pragma once

#include <cstdint>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/code_cache.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

inline bool is_deopt_handler(const Layout& layout, const CodeBlob& blob, uint64_t pc) {
  if (layout.nmethod.deopt_handler_begin != kAbsent) {
    const uint32_t mh = layout.nmethod.deopt_mh_handler_begin;
    return pc == u64_at(blob.address + layout.nmethod.deopt_handler_begin) ||
           (mh != kAbsent && pc == u64_at(blob.address + mh));
  }
  for (const uint32_t handler : {layout.nmethod.deopt_handler, layout.nmethod.deopt_mh_handler})
    if (handler != kAbsent && pc == blob.address + u32_at(blob.address + handler)) return true;
  return false;
}

// Of a frame with this pc and sp; the pc itself where the frame is valid.
inline uint64_t original_pc(const Layout& layout, const CodeBlob& blob, uint64_t pc, uint64_t sp) {
  return is_deopt_handler(layout, blob, pc) ? u64_at(sp + u32_at(blob.address + layout.nmethod.orig_pc)) : pc;
}

}  // namespace rec::agent
