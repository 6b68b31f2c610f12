// SPDX-License-Identifier: Apache-2.0
// The class of an object in the heap, by name, without the collector's leave: an address is worth what its class word
// leads to, and a class counts only if its mirror leads back to it. Any thread; safe loads, but it allocates.
#pragma once

#include <cstdint>
#include <string>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

struct ObjectClass {
  std::string name;       // "java.lang.Object", "[I"; empty: there is no object, or it is just being moved
  std::string mirror_of;  // of a java.lang.Class: the class that it stands for
};
ObjectClass class_of_object(const Layout& layout, uint64_t object);

// "a.B" of a Klass, as Class.getName() has it; empty: it is none.
std::string class_name(const Layout& layout, uint64_t klass);
bool is_klass(const Layout& layout, uint64_t klass);

// A symbol's or signature's text as people write it: "Ljava/lang/Object;" -> "java.lang.Object"; arrays stay as they are.
std::string external_name(std::string text);

}  // namespace rec::agent
