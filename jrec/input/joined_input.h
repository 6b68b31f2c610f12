// SPDX-License-Identifier: Apache-2.0
// Several inputs as one, the earliest first: their stretches one behind the other. Chunks of recordings may stand behind each other in any file, so
// whoever reads them need not know.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jrec/input/input.h"

namespace jrec {

// As Input::open(). The first that cannot be opened is the error, and in `failed`.
base::Result<std::unique_ptr<Input>> open_joined(const std::vector<std::string>& paths, jfr::read::Problems& problems,
                                                 const TimeChoice& choose, TimeRange& range, std::string& failed);

}  // namespace jrec
