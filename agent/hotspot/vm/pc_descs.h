// SPDX-License-Identifier: Apache-2.0
// PcDescs is a compiled method's table of which scope its code belongs to (src/hotspot/share/code/pcDesc.hpp): an offset
// in the code, and where the scope of the code up to there is described. Sorted; its first and last entry lie outside of
// the code and have no scope. Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/code_cache.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

class PcDescs {
 public:
  PcDescs(const Layout& layout, const CodeBlob& nmethod);

  // The first entry whose offset is not below this one; size(): there is none.
  uint64_t at_or_behind(uint64_t pc_offset) const;

  uint64_t size() const;  // a division, which who remembers his scope is spared
  int32_t pc_offset(uint64_t entry) const;
  uint32_t scope(uint64_t entry) const;  // 0: none

  uint64_t end() const { return end_; }  // address

 private:
  const Layout& layout_;
  uint64_t begin_ = 0, end_ = 0;  // addresses
  uint64_t code_size_ = 0;
};

}  // namespace rec::agent
