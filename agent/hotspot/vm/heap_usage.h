// SPDX-License-Identifier: Apache-2.0
// What is known of the Java heap as a whole.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// Bytes in use, by the two functions that the VM has for Runtime.totalMemory() and freeMemory()
// (src/hotspot/share/include/jvm.h): some tens of ns. Threads that Java knows, outside Java. 0: the VM does not tell.
uint64_t heap_used();

// How often the heap was collected, by the VM's own count, which goes up when a collection begins. A thing that lives has
// survived the collections that began after it was made and are over:
//
//   all threads stand still meanwhile   those that have begun, as a thread sees it that runs
//   ZGC                                 of these, all but the last. (What is made while the collector marks is not counted
//                                       as survived that once, for that collection began before)
//   Shenandoah                          has no such count: a quarter of its pauses, less what may be under way
class CollectionCount {
 public:
  void open(const Layout& layout);
  bool known() const { return heap_ != 0; }  // else pauses are to be counted, and given to survived()
  uint32_t begun() const;                    // known(). Any thread, signal-safe
  uint32_t survived(uint32_t at_birth, uint32_t now) const {
    const uint32_t since = now - at_birth;
    return since > under_way_ ? (since - under_way_) / steps_ : 0;
  }

 private:
  uint64_t heap_ = 0;       // CollectedHeap
  uint32_t offset_ = 0;     // of its count
  uint32_t under_way_ = 0;  // what of the count may not be over, or have begun before
  uint32_t steps_ = 1;      // of the count a collection
};

}  // namespace rec::agent
