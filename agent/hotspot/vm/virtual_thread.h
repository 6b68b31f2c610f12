// SPDX-License-Identifier: Apache-2.0
// Which virtual thread a JavaThread carries, and its name. From 24 on a JavaThread knows the id of the thread that it runs
// as (JavaThread::_monitor_owner_id, JDK-8338383); before, it only knows that thread's object (JavaThread::_vthread), and
// the id is read from there. Names are in the heap on all versions. Signal-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// What was known of a JavaThread when it was asked before. Of one reader, and for one JavaThread.
struct LastCarried {
  uint64_t reference = 0;  // to the thread's object, with its colours
  int64_t id = 0;
};

// The id of the virtual thread that it carries; 0: none, or not told. own_id: of the JavaThread's own Thread.
int64_t carried_thread_id(const Layout& layout, uint64_t java_thread, int64_t own_id, LastCarried& last);

// The name of the virtual thread with this id that it carries, as UTF-8; what has no room is cut. Its size in bytes; 0:
// none, or it could not be proved.
size_t carried_thread_name(const Layout& layout, uint64_t java_thread, int64_t id, char* to, size_t room);

// The same of a VirtualThread that lies at this address.
size_t virtual_thread_name(const Layout& layout, uint64_t thread, int64_t id, char* to, size_t room);

}  // namespace rec::agent
