// SPDX-License-Identifier: Apache-2.0
// Tagger turns the Method* of a walk into facts of the current epoch: the one place where a VM pointer becomes an
// identity.
//
//   Method -> ConstMethod -> ConstantPool -> its holder's Klass -> _trace_id >> 16     class id
//                |
//                +-> original idnum                           class id << 16 | idnum   method id
//
// A pointer is trusted only while its frame is on the stack, which holds for the whole of a handler; nothing keeps one.
// Every load is a safe load: a method that cannot be read gives an empty Ref, and the frame is written as "unknown" and
// counted. For handlers.
#pragma once

#include <cstdint>
#include <string_view>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/layout.h"
#include "agent/hotspot/walk/stack_walker.h"
#include "recorder/epoch/epoch.h"

namespace rec::agent {

class Tagger {
 public:
  Tagger(const Layout& layout, Epoch& epoch) : layout_(layout), epoch_(epoch) {}

  Frame frame(const RawFrame& raw);

  // The whole stack of a walk: its own frames, and those of `last` that follow them, whose tags are taken over where that
  // is right. It lies in `last` until the next walk with it; tags: room for a walk that has none.
  struct Stack {
    HashedFrames frames;
    uint32_t unnamed = 0;  // frames whose method could not be read
  };
  [[nodiscard]] Stack stack(const Walk& walk, const RawFrame* raw, LastWalk* last, Frame* tags);
  Ref<ClassFact> class_of(uint64_t klass, int depth = 0);
  Ref<LoaderFact> loader_of_class(uint64_t klass) { return loader_of(u64_at(klass + layout_.klass.loader_data), 0); }

 private:
  Ref<MethodFact> method(uint64_t method);
  Ref<MethodFact> native_place(uint16_t library, uint64_t address);
  Ref<ClassFact> library(uint16_t number);
  Stack stack_on(const Walk& walk, const RawFrame* raw, LastWalk& last);
  uint32_t retag_kept(const Walk& walk, LastWalk& last);
  uint32_t retag_all(const Walk& walk, LastWalk& last);
  Ref<MethodFact> first_use(uint64_t method, uint64_t const_method, uint64_t constants, Ref<ClassFact> holder,
                            uint16_t idnum, const MethodVersion& version);
  Ref<LoaderFact> loader_of(uint64_t loader_data, int depth);
  const Layout& layout_;
  Epoch& epoch_;
  uint16_t last_library_ = 0;  // of native frames: those of one library follow each other
  Ref<ClassFact> last_holder_;
};

// What the VM knows of a class, but for its loader, read while it is alive; the texts still lie in the VM. No id, or no
// name: none of it could be read.
ClassShape class_shape_of(const Layout& layout, uint64_t klass);
bool class_is_named(const Layout& layout, uint64_t klass, std::string_view name);  // "java/lang/String"
ClassId class_id_of(const Layout& layout, uint64_t klass);
// The method's number in its class, the same for each redefined version; kNoIdnum: it stands in none.
uint16_t method_number_of(const Layout& layout, uint64_t method, uint64_t const_method, uint64_t klass);
LoaderId loader_id_of(const Layout& layout, uint64_t klass);  // kNone: the boot loader, or not known

}  // namespace rec::agent
