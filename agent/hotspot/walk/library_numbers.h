// SPDX-License-Identifier: Apache-2.0
// Numbers for libraries, which no other library of the process ever has (native_modules.h): what a frame of native code
// is tagged with, so that its name is that of the library which was there. Ordinary threads; allocates.
#pragma once

#include <cstdint>
#include <string>

namespace rec::agent {

// A library that the process has, or had: a file of one build. Loaded again, it is the same, wherever it lies then.
struct LibraryIdentity {
  std::string name;      // "libjvm.so"; "[vdso]"
  std::string path;      // "/usr/lib/..."
  std::string build_id;  // in hexadecimal; empty: it has none
};
// Signal-safe. Null: no library has that number. They stay for the life of the process.
const LibraryIdentity* library_numbered(uint16_t number);

// Ordinary threads; allocates. path: as the loader has it; empty: the program. 0: there were too many.
uint16_t number_library(const char* path, const std::string& build_id);

}  // namespace rec::agent
