// SPDX-License-Identifier: Apache-2.0
// Recovers what processes left in directories: chunks and spools. See recover.h.
#pragma once

#include <string>

#include "jrec/recover/recover.h"

namespace jrec {

// A directory of chunks, ours or another writer's, or a spool directory, or one that holds such directories.
ExitCode recover_directory(const RecoverOptions& options, Output& out);

// All that the dead process of that id left in the usual places, and what all of them did. Spools whose chunks are not
// here may be another container's: they are recovered with options.all only.
ExitCode recover_process(const RecoverOptions& options, uint32_t pid, Output& out);
ExitCode recover_all(const RecoverOptions& options, Output& out);

}  // namespace jrec
