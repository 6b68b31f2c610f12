// SPDX-License-Identifier: Apache-2.0
// Reads back the first column of a file that ParquetWriter wrote, when that is of longs, none of them null, and unique.
// The file may be damaged, or another writer's: then that is said, and nothing is made up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace jrec {

base::Result<std::vector<int64_t>> read_first_longs(const std::string& path);

}  // namespace jrec
