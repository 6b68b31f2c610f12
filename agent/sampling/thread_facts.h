// SPDX-License-Identifier: Apache-2.0
// Threads as facts of an epoch. A Java thread has the name that it bears when it is asked for, which may change: a fact has one
// name, so a thread that is renamed within an epoch has another fact from then on, under a key of its own and with the same
// Java id.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/hotspot/vm/layout.h"
#include "agent/sampling/thread_registry.h"
#include "recorder/epoch/epoch.h"

namespace rec::agent {

// The group of all virtual threads (Thread.virtualThreadGroup).
inline constexpr std::string_view kVirtualGroup = "VirtualThreads";

// Signal-safe. A thread as it is written: itself, by the name that it began with, also while it carries another; and a virtual one, without
// its name.
ThreadShape shape_of(const ThreadRecord& record);
ThreadShape virtual_shape(int64_t id);

// Its name at this moment, as UTF-8; where that cannot be read, the one that it began with. Under the registry's lock, or in
// the thread itself; a load may fault.
std::string name_of(const Layout& layout, const ThreadRecord& thread);

// Signal-safe. The thread itself as a fact of the epoch. The record must stay its own meanwhile, and a load may fault.
enum class NameLook : uint8_t {
  kText,       // at the name
  kReference,  // to it: a new name may lie, after a collection, where the one before lay
};
Ref<ThreadFact> own_fact(const Layout& layout, Epoch& epoch, ThreadRecord& thread, NameLook look = NameLook::kText);

// Signal-safe. Likewise, without a look at memory of the VM: by the name that it had when it was read last in this epoch, or began.
Ref<ThreadFact> unread_fact(Epoch& epoch, ThreadRecord& thread);

// Signal-safe. A virtual thread as a fact, while the carrier runs it; `tag` is the virtual thread's.
Ref<ThreadFact> tag_carried(const Layout& layout, Epoch& epoch, const ThreadRecord& carrier, int64_t virtual_id,
                            ThreadTag& tag);
// Signal-safe. The same of one whose name is known.
Ref<ThreadFact> tag_virtual(Epoch& epoch, int64_t id, TextView name, ThreadTag& tag);
// The name of that virtual thread; nothing: the carrier runs another one by now.
std::optional<std::string> carried_name(const Layout& layout, const ThreadRecord& carrier, int64_t virtual_id,
                                        LastCarried& last);

}  // namespace rec::agent
