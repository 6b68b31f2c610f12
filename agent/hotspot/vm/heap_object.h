// SPDX-License-Identifier: Apache-2.0
// Objects of the Java heap, read where they lie and not through the collector. An object may be moved at any
// instruction unless its thread keeps the collector waiting: an address is worth what the class word found there proves,
// and who reads more than that word looks at it again afterwards. Signal-safe.
//
//   class word   narrow: u4 behind the mark word (UseCompressedClassPointers); wide: u8; compact: the top of the mark
//                word (JEP 450)
//   references   narrow: u4 (UseCompressedOops); wide: u8; coloured: ZGC's generational pointers
//   copies       a collector that moves an object leaves the new address in the old copy's mark word, whose two lowest
//                bits are then set (src/hotspot/share/oops/markWord.hpp). ZGC does not; its colours tell instead which
//                references lead to the newest copy, and others go through its tables (zgc_forwarding.h)
#pragma once

#include <cstdint>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// What the object's class word says; nonsense when there is no object. 0: it cannot be read.
uint64_t class_word(const Layout& layout, uint64_t object, Layout::Object::KlassWord how);
inline uint64_t class_word(const Layout& layout, uint64_t object) {
  return class_word(layout, object, layout.object.klass_word);
}

// The newest copy of an object of this class that was at `address`; 0: none is there.
uint64_t object_of(const Layout& layout, uint64_t address, uint64_t klass);

// A reference in an object's field, in a handle of the VM (a field of type OopHandle), or in a word of a stack. False:
// where it leads is not sure, or cannot be read; then `to` stays as it is. Null is sure: 0.
bool load_reference(const Layout& layout, uint64_t field, uint64_t& to);
bool load_handle(const Layout& layout, uint64_t handle, uint64_t& to);
bool load_stack_reference(const Layout& layout, uint64_t word, uint64_t& to);

// For calibration: a reference written in one way or the other.
bool load_reference(const Layout& layout, uint64_t field, Layout::Object::Reference how, uint64_t& to);

}  // namespace rec::agent
