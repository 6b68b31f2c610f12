// SPDX-License-Identifier: Apache-2.0
// Which virtual thread a JavaThread carries. From 24 on a JavaThread knows the id of the thread that it runs
// as (JavaThread::_monitor_owner_id, JDK-8338383); before, it only knows that thread's object (JavaThread::_vthread), and
// the id is read from there. Signal-safe.
#pragma once

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

// Where that thread lies; 0: it carries none, or, where it is not `sure`, that could not be read. From 21 on.
uint64_t carried_thread(const Layout& layout, uint64_t java_thread, bool& sure);

// The id of the virtual thread that a JavaThread is itself, for good: under -XX:-VMContinuations all virtual threads are
// threads of the system ("bound"). 0: it is none.
int64_t bound_thread_id(const Layout& layout, uint64_t java_thread);

}  // namespace rec::agent
