// SPDX-License-Identifier: Apache-2.0
// Whether a recording can be written where it is to go.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace jrec {

// Looks at the directory that `target` is in, and writes nothing. kSystem: it cannot be written to, or its disk has fewer
// bytes free than that.
base::Status room_for(const std::string& target, uint64_t bytes);

bool can_be_written(const std::string& directory);

}  // namespace jrec
