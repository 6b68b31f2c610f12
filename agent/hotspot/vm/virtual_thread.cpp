// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/virtual_thread.h"

#include "agent/hotspot/vm/heap_object.h"
#include "agent/hotspot/vm/java_fields.h"

namespace rec::agent {

uint64_t carried_thread(const Layout& layout, uint64_t java_thread, bool& sure) {
  uint64_t thread = 0;
  sure = load_handle(layout, java_thread + layout.thread.running, thread);
  return sure ? object_of(layout, thread, layout.thread_object.virtual_class) : 0;
}

// A coloured reference that has not changed is to the same thread as before, even when the collector may have moved it
// meanwhile: another thread's would have a newer colour.
int64_t carried_thread_id(const Layout& layout, uint64_t java_thread, int64_t own_id, LastCarried& last) {
  if (layout.thread.owner_id != kAbsent) {
    const auto runs_as = static_cast<int64_t>(u64_at(java_thread + layout.thread.owner_id));
    return runs_as != own_id && runs_as > 0 ? runs_as : 0;
  }
  if (!knows_thread_objects(layout)) return 0;
  const uint64_t reference = u64_at(u64_at(java_thread + layout.thread.running));
  if (layout.zgc.bad_colours != 0 && reference == last.reference) return last.id;
  bool sure = false;
  const uint64_t thread = carried_thread(layout, java_thread, sure);
  const auto id = static_cast<int64_t>(thread == 0 ? 0 : u64_at(thread + layout.thread_object.id));
  if (sure) last = {reference, id};
  return id > 0 ? id : 0;
}

int64_t bound_thread_id(const Layout& layout, uint64_t java_thread) {
  uint64_t thread = 0;
  const uint64_t bound_class = layout.thread_object.bound_class;
  if (bound_class == 0 || !load_handle(layout, java_thread + layout.thread.object, thread)) return 0;
  thread = object_of(layout, thread, bound_class);
  const auto id = static_cast<int64_t>(thread == 0 ? 0 : u64_at(thread + layout.thread_object.id));
  return object_of(layout, thread, bound_class) == thread && id > 0 ? id : 0;  // it stood meanwhile
}

}  // namespace rec::agent
