// SPDX-License-Identifier: Apache-2.0
// Repairs one recording, whoever wrote it. See repair.h for the method.
#pragma once

#include <string>

#include "base/result.h"
#include "jrec/recover/recover.h"
#include "jrec/recover/recover_report.h"
#include "recover/recover_file.h"

namespace jrec {

// Appends what can be saved of a file to `to` (null: only looks), and says in the report what could not be. The error
// is that of the output or of a file that cannot be opened; damage is none.
base::Status add_file(const std::string& path, rec::RecoveredFile* to, RecoverReport& report);

ExitCode recover_file(const RecoverOptions& options, Output& out);

}  // namespace jrec
