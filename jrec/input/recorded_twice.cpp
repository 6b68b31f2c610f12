// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/recorded_twice.h"

#include <fmt/core.h>

#include <utility>

namespace jrec {

void RecordedTwice::meet(const std::optional<WriterProcess>& writer, const jfr::read::ChunkHeader& header) {
  if (writer) times_[*writer].insert({header.start_ns, header.end_ns()});
}

// The one that ends first meets no later one of the other recorder.
bool RecordedTwice::overlap(const Times& one, const Times& other) {
  auto its = one.begin(), others = other.begin();
  while (its != one.end() && others != other.end()) {
    if (its->from_ns < others->to_ns && others->from_ns < its->to_ns) return true;
    its->to_ns < others->to_ns ? ++its : ++others;
  }
  return false;
}

std::vector<std::string> RecordedTwice::sentences() const {
  std::set<std::pair<Recorder, Recorder>> pairs;
  for (const auto& [one, its] : times_)
    for (const auto& [other, others] : times_)
      if (one.recorder < other.recorder && are_of_one_jvm(one, other) && overlap(its, others))
        pairs.insert({one.recorder, other.recorder});
  std::vector<std::string> told;
  for (const auto& [one, other] : pairs)
    told.push_back(
        fmt::format("{} and {} have recorded one JVM here, at the same time: what both have recorded counts twice",
                    recorder_words(one), recorder_words(other)));
  return told;
}

}  // namespace jrec
