// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/thread_facts.h"

#include <array>

#include "agent/hotspot/vm/thread_name.h"

namespace rec::agent {
namespace {

using ThreadName = std::array<char, kMaxThreadName>;

TextView view_of(const ThreadName& name, size_t size) { return {name.data(), static_cast<uint16_t>(size)}; }

// Of a thread that has, or has not, a fact in this epoch under another name.
Ref<ThreadFact> tag_named(Epoch& epoch, ThreadRecord& thread, Ref<ThreadFact> known, TextView name) {
  ThreadShape shape = shape_of(thread);
  shape.java_name = shape.os_name = name;
  if (!known) return epoch.tag_thread(thread.tag, shape);
  shape.id = native_thread_id(ThreadRegistry::next_number());
  return epoch.tag_anew(thread.tag, known, shape);
}

}  // namespace

std::string name_of(const Layout& layout, const ThreadRecord& thread) {
  ThreadName text;
  const size_t size = own_thread_name(layout, thread.java_thread, thread.java_id, text.data(), text.size());
  return size == 0 ? std::string(thread.name.data(), thread.name_size) : std::string(text.data(), size);
}

Ref<ThreadFact> unread_fact(Epoch& epoch, ThreadRecord& thread) {
  if (const Ref<ThreadFact> known = epoch.find_thread(thread.tag)) return known;
  return epoch.tag_thread(thread.tag, shape_of(thread));
}

Ref<ThreadFact> own_fact(const Layout& layout, Epoch& epoch, ThreadRecord& thread, NameLook look) {
  const Ref<ThreadFact> known = epoch.find_thread(thread.tag);
  const uint64_t reference = thread.java_thread == 0 ? 0 : own_name_reference(layout, thread.java_thread);
  if (reference == 0) return unread_fact(epoch, thread);
  const bool is_same = reference == thread.name_reference.load(std::memory_order_relaxed);
  if (known && is_same && look == NameLook::kReference) return known;
  ThreadName text;
  const size_t size = own_thread_name(layout, thread.java_thread, thread.java_id, text.data(), text.size());
  if (size == 0) return unread_fact(epoch, thread);
  const TextView name = view_of(text, size);
  const Ref<ThreadFact> fact = known && epoch.is_named(known, name) ? known : tag_named(epoch, thread, known, name);
  // Another fact, of somebody who was faster, may have an older name: then it is looked at again.
  if (fact && epoch.is_named(fact, name)) thread.name_reference.store(reference, std::memory_order_relaxed);
  return fact;
}

Ref<ThreadFact> tag_carried(const Layout& layout, Epoch& epoch, const ThreadRecord& carrier, int64_t virtual_id,
                            ThreadTag& tag) {
  ThreadName name;
  const size_t size = carried_thread_name(layout, carrier.java_thread, virtual_id, name.data(), name.size());
  return tag_virtual(epoch, virtual_id, view_of(name, size), tag);
}

Ref<ThreadFact> tag_virtual(Epoch& epoch, int64_t id, TextView name, ThreadTag& tag) {
  ThreadShape shape = virtual_shape(id);
  shape.java_name = name;
  return epoch.tag_thread(tag, shape);
}

// It is read between two looks that see the thread.
std::optional<std::string> carried_name(const Layout& layout, const ThreadRecord& carrier, int64_t virtual_id,
                                        LastCarried& last) {
  const auto carries = [&] {
    return carried_thread_id(layout, carrier.java_thread, carrier.java_id, last) == virtual_id;
  };
  if (!carries()) return {};
  ThreadName name;
  const size_t size = carried_thread_name(layout, carrier.java_thread, virtual_id, name.data(), name.size());
  if (!carries()) return {};
  const TextView view = view_of(name, size);
  return std::string(view.address, view.size);
}

ThreadShape virtual_shape(int64_t id) {
  ThreadShape shape;
  shape.java_thread_id = id;
  shape.id = static_cast<ThreadId>(id);
  shape.is_virtual = true;
  shape.group_name = {kVirtualGroup.data(), kVirtualGroup.size()};
  return shape;
}

ThreadShape shape_of(const ThreadRecord& record) {
  ThreadShape shape;
  shape.java_thread_id = record.java_id;
  shape.id = static_cast<ThreadId>(shape.java_thread_id);
  shape.os_thread_id = record.os_id.load(std::memory_order_relaxed);
  if (record.kind != ThreadKind::kJava) {
    shape.id = native_thread_id(record.native_number);
    shape.os_name = {record.name.data(), record.name_size};
    return shape;
  }
  shape.java_name = {record.name.data(), record.name_size};
  shape.os_name = shape.java_name;
  shape.group_name = {record.group.data(), record.group_size};
  return shape;
}

}  // namespace rec::agent
