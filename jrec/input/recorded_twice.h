// SPDX-License-Identifier: Apache-2.0
// RecordedTwice finds a JVM that several recorders have recorded at the same time. Whoever reads their chunks as one recording has twice
// what both tell of, such as samples, allocations and threads. The chunks may lie in several files, in one, or in members of an archive.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "format/reader/chunk_header.h"
#include "jrec/values/jvm_numbers.h"

namespace jrec {

class RecordedTwice {
 public:
  // A chunk that is read, once or several times. writer: nothing where it does not tell.
  void meet(const std::optional<WriterProcess>& writer, const jfr::read::ChunkHeader& header);

  // A sentence for each two recorders that were met so: "rec and the JDK have recorded one JVM here, ...".
  std::vector<std::string> sentences() const;

 private:
  struct Time {
    int64_t from_ns = 0, to_ns = 0;
    auto operator<=>(const Time&) const = default;
  };
  using Times = std::set<Time>;
  static bool overlap(const Times& one, const Times& other);

  std::map<WriterProcess, Times> times_;  // of the chunks of each
};

}  // namespace jrec
