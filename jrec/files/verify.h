// SPDX-License-Identifier: Apache-2.0
// jrec verify: everything that is wrong with recordings, with chunk, offset and reason. verify_chunk.h has the rules.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct VerifyOptions {
  std::vector<std::string> files;
  bool json = false;
  bool strict = false;  // warnings count as damage
};

// Each is looked at, whatever the others are; of their codes the worst: kDone, kUsageError (it cannot be opened), kDamaged,
// or kNothingReadable when there is no chunk.
ExitCode run_verify(const VerifyOptions& options, Output& out);

}  // namespace jrec
