// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/object_class.h"

#include <algorithm>

#include "agent/hotspot/vm/heap_object.h"
#include "agent/hotspot/vm/symbols.h"

namespace rec::agent {
namespace {

using KlassWord = Layout::Object::KlassWord;

// Where it was not calibrated how a class is written, only one reading of the header leads to a class. (Where headers
// are compact, another might: that of what a class mirror has in its first field.)
uint64_t klass_of_object(const Layout& layout, uint64_t object) {
  const auto read = [&](KlassWord how) {
    const uint64_t klass = class_word(layout, object, how);
    return is_klass(layout, klass) ? klass : 0;
  };
  if (layout.object.klass_word != KlassWord::kUnknown) return read(layout.object.klass_word);
  const uint64_t narrow = read(KlassWord::kNarrow);
  return narrow != 0 ? narrow : read(KlassWord::kWide);
}

}  // namespace

std::string external_name(std::string text) {
  if (text.size() > 2 && text.front() == 'L' && text.back() == ';') text = text.substr(1, text.size() - 2);
  std::replace(text.begin(), text.end(), '/', '.');
  return text;
}

std::string class_name(const Layout& layout, uint64_t klass) {
  const TextView text = symbol_text(layout, u64_at(klass + layout.klass.name));
  std::string name(text.size, '\0');
  if (text.size == 0 || !safe_copy(name.data(), text.address, text.size)) return {};
  return external_name(name);
}

namespace {

// From JDK 28 on an array of references has two classes: the one that its mirror leads to, which no object has, and one
// for how its elements lie, with the mirror and the name of the first (src/hotspot/share/oops/refArrayKlass.hpp, JEP 401).
bool is_refined(const Layout& layout, uint64_t klass, uint64_t mirror) {
  const uint64_t first = u64_at(mirror + layout.mirror.klass), name = u64_at(klass + layout.klass.name);
  uint64_t mirror_of_first = 0;
  return first != 0 && (first & 7) == 0 && name != 0 && u64_at(first + layout.klass.name) == name &&
         load_handle(layout, first + layout.klass.mirror, mirror_of_first) && mirror_of_first == mirror;
}

}  // namespace

// Klass -> its mirror, an object in the heap -> Klass.
bool is_klass(const Layout& layout, uint64_t klass) {
  if (klass == 0 || (klass & 7) != 0 || layout.mirror.klass == kAbsent || layout.klass.mirror == kAbsent) return false;
  uint64_t mirror = 0;
  return load_handle(layout, klass + layout.klass.mirror, mirror) && mirror != 0 &&
         (u64_at(mirror + layout.mirror.klass) == klass || is_refined(layout, klass, mirror));
}

ObjectClass class_of_object(const Layout& layout, uint64_t object) {
  const uint64_t klass = object == 0 || (object & 7) != 0 ? 0 : klass_of_object(layout, object);
  if (klass == 0) return {};
  ObjectClass found{class_name(layout, klass), {}};
  const uint64_t stands_for = found.name == "java.lang.Class" ? u64_at(object + layout.mirror.klass) : 0;
  if (is_klass(layout, stands_for)) found.mirror_of = class_name(layout, stands_for);
  return found;
}

}  // namespace rec::agent
