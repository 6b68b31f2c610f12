// SPDX-License-Identifier: Apache-2.0
// Repairs one recording, whoever wrote it (recover/repair.h). See recover.h.
#pragma once

#include "jrec/recover/recover.h"

namespace jrec {

ExitCode recover_file(const RecoverOptions& options, Output& out);

}  // namespace jrec
