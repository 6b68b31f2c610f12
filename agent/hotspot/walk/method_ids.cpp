// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/method_ids.h"

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint64_t kMaxMethods = 65536;
constexpr uint64_t kLowestId = 4096;  // nothing lies below

// [0] is how many may follow, [1 + idnum] the method's id or 0 (src/hotspot/share/oops/instanceKlass.cpp).
struct IdCache {
  uint64_t words = 0, count = 0;
  uint64_t at(uint64_t idnum) const { return idnum < count ? u64_at(words + 8 * (idnum + 1)) : 0; }
};

IdCache cache_of(const Layout& layout, uint64_t klass) {
  if (layout.instance_klass.jmethod_ids == kAbsent) return {};
  IdCache cache;
  cache.words = u64_at(klass + layout.instance_klass.jmethod_ids);
  if (cache.words != 0) cache.count = u64_at(cache.words);
  return cache.count <= kMaxMethods ? cache : IdCache{};
}

}  // namespace

uint64_t find_method_id(const Layout& layout, const MethodView& view) {
  return cache_of(layout, view.holder.klass).at(u16_at(view.const_method + layout.const_method.idnum));
}

// The way back shows that it is this method's.
uint64_t follow_method_id(const Layout& layout, uint64_t id) {
  const MethodView view = id % 8 == 0 && id >= kLowestId ? view_method(layout, u64_at(id)) : MethodView{};
  return view && find_method_id(layout, view) == id ? view.method : 0;
}

uint64_t look_up_method_id(const Layout& layout, uint64_t klass, uint64_t id) {
  const ClassMethods methods = methods_of(layout, klass);
  const IdCache cache = cache_of(layout, klass);
  for (uint64_t idnum = 0; idnum < cache.count && idnum < methods.count; ++idnum)
    if (cache.at(idnum) == id) return u64_at(methods.begin + 8 * idnum);
  return 0;
}

}  // namespace rec::agent
