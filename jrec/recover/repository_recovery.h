// SPDX-License-Identifier: Apache-2.0
// One directory of chunks becomes one recording (one a process, if there are several). See recover.h.
#pragma once

#include <string>
#include <vector>

#include "jrec/recover/recover.h"
#include "recover/leftover_spools.h"

namespace jrec {

// Of ours. more_places: where spools may be, besides the usual.
ExitCode recover_repository(const RecoverOptions& options, const std::string& directory,
                            const std::vector<std::string>& more_places, Output& out);

// Of another writer: its files in the order of their names. Nothing of it is removed.
ExitCode recover_foreign(const RecoverOptions& options, const std::string& directory, Output& out);

// Spools whose directory of chunks is not here.
ExitCode recover_orphan(const RecoverOptions& options, rec::LeftoverSpools& spools, Output& out);

}  // namespace jrec
