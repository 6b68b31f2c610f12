// SPDX-License-Identifier: Apache-2.0
// Numbers for libraries, which no other library of the process ever has (native_modules.h): what a frame of native code
// is tagged with, so that its name is that of the library which was there. Ordinary threads; allocates.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "recorder/spool/facts.h"
#include "recorder/symbols/native_names.h"

namespace rec::agent {

// A library that the process has, or had: a file of one build; without a build id, one file, since it was last written to.
// Loaded again, it is the same, wherever it lies then.
struct LibraryIdentity {
  std::string name;               // "libjvm.so"; "vdso"; "libjvm.so@1a2b3c4d": another build of that name came first
  std::string path;               // "/usr/lib/..."
  std::string build_id;           // in hexadecimal; empty: it has none
  LoadPlace in_file;              // with a bias of 0: whatever it is loaded at, this is the same
  std::atomic<uint64_t> bias{0};  // where it lies now, or lay last. Says nothing of other memory: relaxed

  LoadPlace place() const;                      // signal-safe
  NativeLibrary named(uint16_t number) const {  // for its names
    return {.id = number, .path = path, .build_id = build_id, .file = in_file.file};
  }
};
// Signal-safe. Null: no library has that number. They stay for the life of the process.
const LibraryIdentity* library_numbered(uint16_t number);

// Ordinary threads; allocates. path: as the loader has it; empty: the program. place: the kernel's is not told. 0: there were
// too many.
uint16_t number_library(const char* path, const std::string& build_id, const LoadPlace& place = {});

}  // namespace rec::agent
