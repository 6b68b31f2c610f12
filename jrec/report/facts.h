// SPDX-License-Identifier: Apache-2.0
// The facts of a run that a report says in its head, and what its recording has lost. Facts are those of all of the recording, whatever a filter leaves
// of it; losses are those that the filter leaves.
//
// Of several JVMs some facts are told, and how many others there are.
//
//   "facts":[["JVM","OpenJDK 64-Bit Server VM 25"], ["Collector","G1New, G1Old"], ...]
//   "recorded":[...]                                                                    recorded_lanes.h
//   "lost":[["signalBlocked",12]...]                                                    lost_samples.h; bytes of jdk.DataLoss
#pragma once

#include <map>
#include <string>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/input/recording.h"
#include "jrec/report/recorded_lanes.h"
#include "jrec/view/cell_reader.h"

namespace jrec {

class ReportFacts {
 public:
  void begin(const CellReader& cells, const jfr::read::Chunk& chunk);
  bool wants(uint32_t type) const { return (type < plans_.size() && !plans_[type].empty()) || recorded_.wants(type); }
  void add(CellReader& cells, const jfr::read::Event& event, uint32_t type);

  // In place of those that a filter has left: a walk of its own.
  void read_facts_of_all(Recording& recording);

  // recorded_twice: jvms.h
  void append_json(const std::vector<std::string>& recorded_twice, std::string& out) const;

 private:
  struct Bound {
    size_t fact = 0;  // in the list of facts; what is lost, behind it
    FieldPath value, cause;
  };
  std::map<size_t, std::vector<std::string>> values_;  // by fact: what was told, each once
  std::map<std::string, uint64_t> lost_;
  RecordedLanes recorded_;
  std::vector<std::vector<Bound>> plans_;  // by index of the chunk's types
};

}  // namespace jrec
