// SPDX-License-Identifier: Apache-2.0
// Where each thread has a thread-local variable of a loaded library, so that a handler can find its own, or another
// thread's, without the loader: __tls_get_addr() may allocate.
//
//   kStatic    at a fixed distance from the thread pointer: the program, what was loaded with it, what was linked
//              for that (initial-exec), and what the loader found room for
//   kDynamic   in a block of the library's own, which the thread has from its first use on (glibc):
//
//     thread pointer -> | itself | table | ...       table -> | generation | ... | block, 8 other bytes | ...
//                       0        8                            0                  16 x module; all ones: none yet
//
//   kDynamicMusl   likewise, and from the library's loading on:   table -> | modules | block | block | ...
//                                                                          0         8 x module
//
// A block of a library that has been unloaded may be somebody else's memory: whoever reads there judges what he finds.
// Where the table's address lies is the processor's (thread_pointer.h); shown is x86-64. ELF Handling for Thread-Local Storage
// (Drepper); glibc: dl-dtv.h; musl: src/thread/__tls_get_addr.c.
#pragma once

#include <cstdint>
#include <optional>

#include "agent/hotspot/processor/this_processor.h"
#include "agent/process/thread_local_symbol.h"
#include REC_OF_PROCESSOR(thread_pointer.h)

namespace rec::agent {

struct ThreadLocalPlace {
  enum class Kind : uint8_t { kStatic, kDynamic, kDynamicMusl };
  Kind kind = Kind::kStatic;
  int64_t distance = 0;             // kStatic: from the thread pointer
  uint64_t module = 0, offset = 0;  // of the others
  friend bool operator==(const ThreadLocalPlace&, const ThreadLocalPlace&) = default;
};

// Ordinary threads. Asks the loader in this thread and in another one, which ends at once; what both say must agree.
// Nothing: the library has gone, or this loader keeps such variables in another way.
std::optional<ThreadLocalPlace> place_of(const ThreadLocalSymbol& symbol, const char* name);

// Whether handlers may use this library's REC_HANDLER_LOCALs (agent/process/handler_local.h). Any thread.
bool has_handler_locals();

// Signal-safe, with safe loads. Of a variable of this library's own, of which `here` is the calling thread's: it lies at one
// distance in all threads, or this is musl, and it is in the block that has it.
ThreadLocalPlace place_of_own(const void* here);
// Likewise: the variable's address in a thread, 0 if it has none.
uint64_t address_in(const ThreadLocalPlace& place, uint64_t thread_pointer);
// Likewise: a word of a thread's own memory. False: the thread has gone, and its memory, too.
bool thread_word_at(uint64_t address, uint64_t& to);

}  // namespace rec::agent
