// SPDX-License-Identifier: Apache-2.0
// OldGeneration tells what a weak reference of the generational ZGC proves. Its young collections take what weak handles
// lead to for alive (ZRootsIteratorAllColored in zGeneration.cpp): what is still there may be garbage, up to the end of a
// collection of the old generation that it was in when that began.
//
//   begun    CollectedHeap::_total_full_collections, right behind the count that is exported (collectedHeap.hpp)
//   over     of these: weak references to the dead are gone when what lives is about to be moved, and then one of the four
//            bits of the good colour's number changes, each time (zAddress.hpp)
//   page     granule of the address -> ZPage { type, generation, age, .. sequence number }: of one of the old generation how
//            many collections of it had begun when the page was made, plus 1 (zPage.hpp)
//
// Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

class OldGeneration {
 public:
  void open(const Layout& layout);  // which outlives it

  // False: every collection clears weak references, this VM does not tell, or it is not open.
  bool known() const { return count_ != 0; }

  struct Collections {
    uint32_t begun = 0, over = 0;
  };
  Collections collections() const;  // none where it is not known

  // How many of them had begun when the object of a weak global reference was in the old generation already. kNever: it is
  // not, or that is not sure. The object is not kept alive by the question.
  static constexpr uint32_t kNever = UINT32_MAX;
  uint32_t in_since(const void* weak) const;

 private:
  const Layout* layout_ = nullptr;
  uint64_t count_ = 0;  // the address
};

}  // namespace rec::agent
