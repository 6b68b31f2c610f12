// SPDX-License-Identifier: Apache-2.0
// Scopes tell which methods, inlined into each other, a pc of a compiled method belongs to. HotSpot keeps them
// compressed beside the code: PcDesc (pc -> scope) and ScopeDesc (sender, method, bci), as UNSIGNED5 numbers
// (src/hotspot/share/code/scopeDesc.cpp, compressedStream.hpp; the coding changed in 20: every byte is stored plus one,
// JDK-8293100). Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/code_cache.h"
#include "agent/hotspot/vm/code_memo.h"
#include "agent/hotspot/vm/layout.h"
#include "agent/hotspot/vm/pc_descs.h"

namespace rec::agent {

// Decodes one UNSIGNED5 number at `at` and moves on; false when memory ends.
bool read_unsigned5(uint64_t& at, uint32_t excess, uint32_t& value);

// A cursor over the scopes of one pc, innermost first.
class Scopes {
 public:
  // The code at pc belongs to the first PcDesc at or behind it: a PcDesc describes the instructions up to it, from the
  // one before.
  Scopes(const Layout& layout, const CodeBlob& nmethod, uint64_t pc, CodeMemo& memo);

  // Those of one decode offset, which a PcDesc tells.
  static Scopes at(const Layout& layout, const CodeBlob& nmethod, uint32_t scope);

  bool next(uint64_t& method, int32_t& bci);  // false behind the outermost

  // Is pc the very offset of a PcDesc? All return addresses of a compiled method are.
  bool exact() const { return exact_; }
  bool has_more() const { return scope_ != 0; }

  // Where the next scope is described; 0: there is none.
  uint64_t description() const { return scope_ == 0 ? 0 : scopes_data_ + scope_; }
  uint64_t data() const { return scopes_data_; }

  // The address of the PcDesc that pc belongs to, which may lie far behind: not all code is described.
  static uint64_t described_until(const Layout& layout, const CodeBlob& nmethod, uint64_t pc);

 private:
  Scopes(const Layout& layout, const CodeBlob& nmethod);

  const Layout& layout_;
  const PcDescs descs_;
  uint64_t scopes_data_ = 0;
  uint64_t metadata_ = 0;
  uint32_t scope_ = 0;  // decode offset of the next scope; 0: none
  bool exact_ = false;
  int budget_ = 128;  // inlining is bounded by HotSpot; this bounds damage
};

}  // namespace rec::agent
