// SPDX-License-Identifier: Apache-2.0
// The import tables (GOT) of the loaded libraries: through an entry there a library calls a function of another one. Calls
// can be led to a function of ours by them, and back again, without a change of code.
//
//   a library's entry:   malloc of libc   -- lead_imports(kToHook) -->   our hook, which calls malloc of libc
//                                         <-- lead_imports(kBack) ----
//
// An entry that leads elsewhere is somebody else's and stays as it is. One that is not bound yet, since its library binds
// lazily, is bound. No list of what was changed is kept: what leads to a hook of ours is ours, wherever that is found.
//
// Left alone: this library; the dynamic linker; and a library that has a function behind a hook, since it may call itself
// by its table and would come to us for ever. libc's own calls (strdup, getline) are led like all others: its malloc calls
// nobody by its table.
//
// Pages that are read-only after relocation (RELRO) are made writable for the moment, and not when they are so anyway. What a
// page allows is asked when it is written to (page_access.h): from a list made before, another library's data may be meant,
// which has come to that place since.
//
// ELF gABI, chapter 5; psABI x86-64, 4.4; glibc's elf/dl-reloc.c. Ordinary threads, one at a time. The loader's list of
// libraries is locked meanwhile, some milliseconds: none goes away. Needs no JVM.
#pragma once

#include <cstdint>
#include <span>

namespace rec::agent {

struct HookedImport {
  const char* name = nullptr;  // as libraries import it
  uintptr_t behind = 0;        // where entries lead without us
  uintptr_t hook = 0;
  uintptr_t only_in = 0;  // an address in the one library that is meant; 0: all
};

enum class LeadImports : uint8_t { kToHook, kBack };

struct ImportCount {
  uint32_t led = 0;        // entries that were changed
  uint32_t elsewhere = 0;  // that are somebody else's
  uint32_t refused = 0;    // that should have been changed, and the system does not let us
};

// The entries of all libraries that are loaded now. A library that is being loaded in this moment may be missed.
ImportCount lead_imports(std::span<const HookedImport> imports, LeadImports where);

// Where the entry of that name leads in the library that has `inside`: 0 if there is none, or it is not bound yet.
uintptr_t import_of(uintptr_t inside, const char* name);

}  // namespace rec::agent
