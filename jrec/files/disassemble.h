// SPDX-License-Identifier: Apache-2.0
// jrec disassemble: the chunks of a recording as several recordings, byte by byte as they are, named as `jfr
// disassemble` names them: big.jfr -> big_0.jfr, big_1.jfr ... Joined again they are what they were, as far as it was
// whole. Files that are there already are not written over.
#pragma once

#include <cstdint>
#include <string>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct DisassembleOptions {
  std::string file;
  std::string directory = ".";
  uint64_t max_chunks = 5;  // in a file
  std::string max_size;     // of a file, unless a single chunk is larger; instead of max_chunks
};

ExitCode run_disassemble(const DisassembleOptions& options, Output& out);

}  // namespace jrec
