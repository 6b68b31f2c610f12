// SPDX-License-Identifier: Apache-2.0
// RecoverReport says what became of one input: one line, or one JSON object, and a line on standard error for each
// thing that could not be saved.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "recover/tally.h"

namespace jrec {

struct RecoverReport final : rec::Tally {
  std::string input;
  std::string output;  // empty: nothing was written
  std::string remark;  // what a user should know besides
  std::vector<std::string> damage;

  void add_damage(const std::string& file, const base::Error& error) override;  // says it, too
  void print(Output& out, bool json) const;
  ExitCode code() const;
};

// The worse of two outcomes.
ExitCode worse(ExitCode a, ExitCode b);

}  // namespace jrec
