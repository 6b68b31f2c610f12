// SPDX-License-Identifier: Apache-2.0
// The loader's list of what is loaded. glibc numbers loads (link_map::l_serial, elf/dl-object.c), and no number comes twice
// in a process. Where in a record the number stands is no interface: it is looked for, once, as the one word that rises along
// the list. Of a loader without (musl unloads nothing) no load is known, and a library is told by its mark alone
// (native_modules.h). Ordinary threads; allocates.
#pragma once

#include <link.h>

#include <vector>

#include "agent/hotspot/walk/library_loads.h"

namespace rec::agent {

// The program's record, at the list's begin; null: the loader tells of none. Not for who holds the loader's lock.
const link_map* first_record();

// For who holds the loader's lock (a callback of dl_iterate_phdr()).
class LoaderList {
 public:
  explicit LoaderList(const link_map* first);
  LibraryLoad load_of(const dl_phdr_info& info) const;

 private:
  std::vector<const link_map*> records_;
};

}  // namespace rec::agent
