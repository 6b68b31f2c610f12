// SPDX-License-Identifier: Apache-2.0
// Repairs one recording, whoever wrote it (recover/repair.h). See recover.h.
#pragma once

#include <string>

#include "jrec/recover/recover.h"
#include "recover/recovered_file.h"
#include "recover/tally.h"

namespace jrec {

// Appends what can be saved of a file, in whatever wrapping, to `to` (null: only looks). The error is that of the output
// or of a file that cannot be opened; damage is none.
base::Status repair_file(const std::string& path, rec::RecoveredFile* to, rec::Tally& tally);

ExitCode recover_file(const RecoverOptions& options, Output& out);

}  // namespace jrec
