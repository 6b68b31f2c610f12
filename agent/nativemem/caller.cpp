// SPDX-License-Identifier: Apache-2.0
#include "agent/nativemem/caller.h"

#include "agent/sampling/stranger.h"
#include "agent/sampling/thread_facts.h"

namespace rec::agent {

Caller Callers::tell(Epoch& epoch, const Sampler& sampler, ThreadRecord* record) {
  if (record != nullptr && record->kind != ThreadKind::kJava) return {unread_fact(epoch, *record), record->kind};
  if (record != nullptr && record->java_thread != 0) return {sampler.thread_fact(epoch, *record), ThreadKind::kJava};
  const SystemName name = SystemName::own();
  return {stranger(epoch, own_thread_id(), name), kind_named(name.c_str())};
}

Ref<ThreadFact> Callers::stranger(Epoch& epoch, int32_t os_id, const SystemName& name) {
  const ThreadShape shape = shape_of_stranger(os_id, {name.c_str(), name.size()});
  Place& place = places_[static_cast<uint32_t>(os_id) % kPlaces];
  // acquire: pairs with the release below: what the last one has left there is whole.
  if (place.busy.exchange(true, std::memory_order_acquire)) return epoch.copy_thread(shape);
  if (place.os_id != os_id || place.name != name) {
    place.os_id = os_id;
    place.name = name;
    place.tag.forget();
  }
  Ref<ThreadFact> fact = epoch.find_thread(place.tag);
  if (!fact) fact = epoch.tag_thread(place.tag, shape);
  // release: pairs with the acquire above.
  place.busy.store(false, std::memory_order_release);
  return fact;
}

}  // namespace rec::agent
