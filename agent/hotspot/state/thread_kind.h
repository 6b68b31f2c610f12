// SPDX-License-Identifier: Apache-2.0
// What a thread of the process is for, as far as its name in the system tells. HotSpot names its threads when they begin
// (Thread::name() by os::set_native_thread_name(), src/hotspot/os/linux/os_linux.cpp), and the system keeps 15 bytes:
// "C2 CompilerThre", from 24 on perhaps "C2 Comp..hread0". So a kind is known by how the name begins.
//
// Signal-safe, but for kind_named().
#pragma once

#include <cstdint>

namespace rec::agent {

enum class ThreadKind : uint8_t {
  kJava,       // known to Java
  kCollector,  // GC Thread#0, G1 Conc#0, ZWorker#0, Shenandoah GC T ...
  kC1,         // compilers
  kC2,
  kJvmci,
  kVmThread,  // carries out VM operations
  kVmOther,   // timers, services, JFR's own
  kOurs,      // rec's own threads
  kNative,    // of libraries, of the launcher
  kCount,
};

// Of a thread that Java does not know.
ThreadKind kind_named(const char* name);

}  // namespace rec::agent
