// SPDX-License-Identifier: Apache-2.0
// ProgramIdentity tells whether two chunks were written by one recorder in one process, so that numbers of types and
// keys of constants mean the same in both. When in doubt they were not: what is taken for two programs is merely
// numbered apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "format/reader/chunk.h"
#include "format/reader/key_hash.h"
#include "jrec/values/jvm_numbers.h"

namespace jrec {

class ProgramIdentity {
 public:
  explicit ProgramIdentity(jfr::read::Chunk& chunk);

  bool same_as(const ProgramIdentity& other) const;

 private:
  std::optional<WriterProcess> process_;
  std::unordered_map<std::string, uint64_t> types_;                       // name -> number
  std::unordered_map<uint64_t, uint64_t, jfr::read::KeyHash> constants_;  // type and key -> content, as hashes
};

}  // namespace jrec
