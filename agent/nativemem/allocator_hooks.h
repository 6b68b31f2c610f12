// SPDX-License-Identifier: Apache-2.0
// AllocatorHooks stand in the import tables (import_tables.h) in front of malloc, calloc, realloc, posix_memalign,
// aligned_alloc, memalign, and of free if frees are to be told. Each calls the function behind it, and tells MallocSampling.
//
// Behind is what the VM's own entries lead to when the first recording starts: libc's functions, or those of whoever was
// loaded in front of them (jemalloc by LD_PRELOAD). It stays so for good: who comes in front of us later may have us behind
// him, and to go behind him, too, would be a circle. The hooks stay callable for good as well: this library is never
// unloaded.
//
// Libraries that the VM loads for Java (System.load) are led to us at once, before their first function runs that is not a
// constructor: the VM's dlopen comes to us, too. What libraries load by themselves is found by the next install(): dlopen
// looks for a plain name where its caller says, and that must not be us.
//
// What the VM looks up for Java (SymbolLookup of java.lang.foreign, by its dlsym, which comes to us) is the hook where it would be the function
// behind one. What was looked up before stays as it is; so does what other libraries look up: theirs may be meant to be the next one's.
//
// Ordinary threads.
#pragma once

#include <cstdint>

#include "agent/nativemem/malloc_sampling.h"
#include "agent/process/import_tables.h"

namespace rec::agent {

MallocSampling& malloc_sampling();  // of the process

struct AllocatorHooks {
  // In all libraries that are loaded now; again, when others have come.
  static ImportCount install(bool with_free);
  static ImportCount remove();
  static bool has_vm();  // the VM's own malloc comes to us
};

}  // namespace rec::agent
