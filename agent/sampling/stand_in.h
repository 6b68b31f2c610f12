// SPDX-License-Identifier: Apache-2.0
// Where a walk finds no frame, the sample still has its thread and its weight. A frame that says why stands in for the
// stack, as a native method of a class that is in no VM:
//
//   rec.NotWalked.badReturn()      the walk's end (stack_walker.h)
//   rec.NotWalked.mayNotFault()    none was tried: the thread blocks SIGSEGV, somebody's handler is in front of ours, or the thread's
//                                  alternate stack is too small (signal_context.h)
//   rec.NotWalked.takesTooLong()   likewise: those before took as long as the clock's interval (walk_budget.h)
//   rec.NotWalked.notSeen()        likewise: it had ended before anybody looked where it was (wall_watch.h)
//   rec.NotWalked.noBuffer()       likewise: others had all buffers for walks (scratch_pool.h)
//
// A thread that Java does not know has one frame that says what it is for:
//
//   JVM.[GC Thread]()  JVM.[C1 Compiler]()  JVM.[C2 Compiler]()  JVM.[JVMCI Compiler]()  JVM.[VM Thread]()  JVM.[JVM Thread]()
//   rec.[rec Thread]()                                  our own
//   native.[native Thread]()                            a library's, or the launcher's
//
// For handlers.
#pragma once

#include "agent/hotspot/state/thread_kind.h"
#include "agent/hotspot/walk/stack_walker.h"
#include "recorder/epoch/epoch.h"

namespace rec::agent {

// Its method is missing if there is no room for the name.
Frame stand_in_frame(Epoch& epoch, WalkEnd end);
enum class NoWalk : uint8_t { kMayNotFault, kTooLong, kNotSeen, kNoBuffer, kCount };
Frame stand_in_frame_without_walk(Epoch& epoch, NoWalk why);
Frame stand_in_frame(Epoch& epoch, ThreadKind kind);  // not of kJava

}  // namespace rec::agent
