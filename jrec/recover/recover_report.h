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

namespace jrec {

struct RecoverReport {
  std::string input;
  std::string output;  // empty: nothing was written
  size_t kept = 0;     // chunks: as they were
  size_t repaired = 0;
  size_t dropped = 0;
  size_t from_spools = 0;  // chunks made of what was only in spools
  uint64_t spool_samples = 0;
  uint64_t lost = 0;  // samples that the process had counted as lost, told by no chunk before
  uint64_t bytes = 0;
  uint64_t samples = 0;
  std::string remark;  // what a user should know besides
  std::vector<std::string> damage;

  void add_damage(const std::string& file, const base::Error& error);  // says it, too
  void print(Output& out, bool json) const;
  ExitCode code() const;
};

// The worse of two outcomes.
ExitCode worse(ExitCode a, ExitCode b);

}  // namespace jrec
