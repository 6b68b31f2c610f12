// SPDX-License-Identifier: Apache-2.0
// Why there is nothing to show of a number that names no file, and so a process.
#pragma once

#include <optional>
#include <string>

#include "jrec/control/jvm_process.h"

namespace jrec {

// Nothing: it names no process, or one that writes a recording.
std::optional<std::string> why_silent(const std::string& target);

// The same of a process that has no recording open; of one that is not there, where there is none.
std::string silence_of(const std::optional<JvmProcess>& process);

}  // namespace jrec
