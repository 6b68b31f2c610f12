// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/listed_thread.h"

#include "agent/sampling/thread_facts.h"

namespace rec::agent {

ListedThread::ListedThread(const Layout& layout, ThreadRecord& of)
    : record(&of),
      os_id(of.os_id.load(std::memory_order_relaxed)),
      java_id(of.java_id),
      java_thread(of.java_thread),
      name(name_of(layout, of)) {}

// acquire: pairs with the releases in ThreadRegistry::add() and remove().
bool ListedThread::is_alive() const { return record->os_id.load(std::memory_order_acquire) == os_id; }

Ref<ThreadFact> ListedThread::tag(const Layout& layout, Epoch& epoch, ThreadRegistry& threads) const {
  Ref<ThreadFact> thread;
  threads.exclusively([&] {
    if (is_alive()) thread = own_fact(layout, epoch, *record);
  });
  if (thread) return thread;
  ThreadShape shape;
  shape.id = static_cast<ThreadId>(java_id);
  shape.os_thread_id = os_id;
  shape.java_thread_id = java_id;
  shape.java_name = shape.os_name = {name.data(), static_cast<uint16_t>(name.size())};
  return epoch.copy_thread(shape);
}

}  // namespace rec::agent
