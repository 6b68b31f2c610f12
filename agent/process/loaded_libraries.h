// SPDX-License-Identifier: Apache-2.0
// The libraries of this process as its loader has them (dl_iterate_phdr), the program itself and the vDSO among them.
// Ordinary threads: the loader's lock is held meanwhile, some microseconds. Needs no JVM.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rec::agent {

struct LoadedLibrary {
  std::string name;            // a path, as it was loaded
  uint64_t base = 0, top = 0;  // of the segments in memory
};

// Goes up when a library is loaded or unloaded; next to free.
uint64_t library_changes();
std::vector<LoadedLibrary> loaded_libraries();

}  // namespace rec::agent
