// SPDX-License-Identifier: Apache-2.0
// Recovery turns the spools that a dead process left into chunks, with the code that rotation uses. What had reached a
// chunk before is not repeated. The spools are hostile input: every reference is checked, an event whose facts are
// damaged is written with what is left.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/result.h"

namespace rec {

struct Recovered {
  uint64_t samples = 0;
  std::vector<std::string> chunks;  // paths, oldest first; none if everything had been written
  std::string repository;           // where the dead process kept its chunks
};

// spool_directory: as the process named it (rec-<pid>-...). Chunks are made in `to_directory`. kUsage if the owner is
// alive. The spools stay: remove_spools() once the chunks are where they should be.
jfr::Result<Recovered> recover_spools(const std::string& spool_directory, const std::string& to_directory);
void remove_spools(const std::string& spool_directory);

}  // namespace rec
