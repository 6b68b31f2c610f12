// SPDX-License-Identifier: Apache-2.0
// VerifyReport collects what is wrong with a recording: where, of which kind, and how bad.
//
//   damage    the format's rules are broken: something is lost, or readers fail            exit code 2
//   warning   it can be read, but something is missing or odd (a constant that nobody wrote, as some JVMs leave)
//
// Of each kind the first kMostShown of a chunk are kept and the others counted: a damaged file has the same trouble a
// million times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "format/reader/problems.h"
#include "jrec/base/output.h"

namespace jrec {

enum class Severity { kDamage, kWarning };

// What a problem is about. name_of() has the word for each.
enum class ProblemKind {
  kStructure,
  kHeader,
  kMetadata,
  kCheckpoint,
  kConstant,
  kReference,
  kFrame,
  kEvent,
  kTime,
  kOrder
};
inline constexpr size_t kProblemKinds = 10;
const char* name_of(ProblemKind trouble);

class VerifyReport {
 public:
  static constexpr size_t kMostShown = 5;

  struct Finding {
    Severity severity;
    ProblemKind trouble;
    size_t chunk;     // from 0
    uint64_t offset;  // in the file
    std::string what;
  };
  struct More {
    ProblemKind trouble;
    size_t chunk;
    uint64_t count;
  };

  // What is added from here on is of this chunk.
  void begin_chunk(size_t chunk);
  // `what` is asked for only if it is kept.
  template <typename What>
  void add(Severity severity, ProblemKind trouble, uint64_t offset, What what) {
    if (count(severity, trouble)) findings_.push_back({severity, trouble, chunk_, offset, what()});
  }
  void add_all(const jfr::read::Problems& problems);  // of the reader, as damage
  void end();

  uint64_t damages() const { return damages_; }
  uint64_t warnings() const { return warnings_; }

  size_t chunks = 0;
  uint64_t events = 0;
  uint64_t constants = 0;

  void print_text(const std::string& file, Output& out) const;
  std::string json(const std::string& file) const;

 private:
  bool count(Severity severity, ProblemKind trouble);  // true: keep it

  size_t chunk_ = 0;
  std::array<uint64_t, kProblemKinds> seen_{};  // in this chunk
  std::vector<Finding> findings_;
  std::vector<More> more_;
  uint64_t damages_ = 0, warnings_ = 0;
};

}  // namespace jrec
