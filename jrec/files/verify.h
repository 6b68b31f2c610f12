// SPDX-License-Identifier: Apache-2.0
// jrec verify: everything that is wrong with a recording, with chunk, offset and reason. verify_chunk.h has the rules.
#pragma once

#include <string>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct VerifyOptions {
  std::string file;
  bool json = false;
  bool strict = false;  // warnings count as damage
};

// kDone, kDamaged, or kNothingReadable when there is no chunk.
ExitCode run_verify(const VerifyOptions& options, Output& out);

}  // namespace jrec
