// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/object_class.h"

#include "agent/hotspot/vm/class_mirror.h"
#include "agent/hotspot/vm/heap_object.h"
#include "agent/hotspot/walk/tagger.h"

namespace rec::agent {
namespace {

constexpr int kTries = 16;

bool is_proven(const Layout& layout, uint64_t klass) {
  if (layout.klass.mirror == kAbsent) return true;
  uint64_t mirror = 0;
  return load_handle(layout, klass + layout.klass.mirror, mirror) && u64_at(mirror + layout.mirror.klass) == klass;
}

}  // namespace

Ref<ClassFact> class_fact(const Layout& layout, Epoch& epoch, jclass mirror) {
  for (int i = 0; i < kTries; ++i) {
    const uint64_t klass = klass_of_local(layout, mirror);
    const ClassId id = klass == 0 ? ClassId::kNone : class_id_of(layout, klass);
    if (id == ClassId::kNone || !is_proven(layout, klass)) continue;
    if (const Ref<ClassFact> known = epoch.find_class(id)) return known;
    return Tagger(layout, epoch).class_of(klass);
  }
  return {};
}

Ref<ClassFact> class_fact_of_object(const Layout& layout, Epoch& epoch, uint64_t object) {
  const uint64_t klass = object == 0 ? 0 : class_word(layout, object);
  if (klass == 0 || layout.klass.mirror == kAbsent || !is_proven(layout, klass)) return {};
  return Tagger(layout, epoch).class_of(klass);
}

}  // namespace rec::agent
