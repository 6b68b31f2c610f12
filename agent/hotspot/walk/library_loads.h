// SPDX-License-Identifier: Apache-2.0
// Tells one load of a library from the next one at its address, where no build id does: by the loader's own record of it
// (loader_list.h). Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent {

struct LibraryLoad {
  uint64_t record = 0;  // address of its link_map; 0: not known
  uint64_t serial = 0;  // of no other load in the process
  explicit operator bool() const { return record != 0; }
  friend bool operator==(const LibraryLoad&, const LibraryLoad&) = default;
};

// True also for a load that is not known.
bool is_still_loaded(const LibraryLoad& load);

}  // namespace rec::agent
