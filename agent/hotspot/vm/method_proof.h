// SPDX-License-Identifier: Apache-2.0
// Proves that an address found on a stack is a Method's: what it leads to must lead back. Signal-safe.
//
//   Method -> ConstMethod -> ConstantPool -> InstanceKlass -> its array of methods -> [ConstMethod's number] == Method
//
// Two kinds of methods stand in no array: the versions of before a redefinition, and the linkers that the VM makes for
// method handles. Such a one is proved by being of the same C++ class as those that do stand there.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// A Method begins with the address of its class's vtable, which data that is none does not. There are as many as there
// are archives of classes, and one more (src/hotspot/share/cds/cppVtables.cpp). Those of methods that were proved are
// remembered, so that the next ones need no more than a look.
class MethodProof {
 public:
  bool is_method(const Layout& layout, uint64_t address);

 private:
  void remember(uint64_t vtable);

  static constexpr size_t kVtables = 4;
  std::array<std::atomic<uint64_t>, kVtables> vtables_{};  // 0: free
};

}  // namespace rec::agent
