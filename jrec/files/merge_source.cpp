// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/merge_source.h"

#include <algorithm>
#include <cmath>

namespace jrec {
namespace {

// What a clock drifts, or is set, while a program runs. Zero of the clock that merge gives lies elsewhere (common_clock.h).
constexpr double kMostDrift_ns = 60e9;

}  // namespace

void MergePrograms::begin_file() {
  writer_.reset();
  last_.reset();
}

size_t MergePrograms::of(jfr::read::Chunk& chunk) {
  meet_clock(chunk);
  const std::optional<WriterProcess> writer = writer_of(chunk);
  if (last_ && (!writer || writer == writer_)) return *last_;
  writer_ = writer;
  last_ = number_of(chunk);
  return *last_;
}

size_t MergePrograms::number_of(jfr::read::Chunk& chunk) {
  auto identity = std::make_unique<ProgramIdentity>(chunk);
  const auto same = std::ranges::find_if(known_, [&](const auto& other) { return identity->same_as(*other); });
  if (writer_) writers_.insert(*writer_);
  if (same == known_.end()) {
    untold_ += writer_ ? 0 : 1;
    known_.push_back(std::move(identity));
    return known_.size() - 1;
  }
  return static_cast<size_t>(same - known_.begin());
}

void MergePrograms::meet_clock(const jfr::read::Chunk& chunk) {
  const jfr::read::ChunkHeader& header = chunk.header();
  const auto ticks_per_second = static_cast<double>(header.ticks_per_second);
  const double zero_ns =
      static_cast<double>(header.start_ns) - static_cast<double>(header.start_ticks) / ticks_per_second * 1e9;
  if (!zero_ns_) zero_ns_ = zero_ns, ticks_per_second_ = ticks_per_second;
  has_one_clock_ &= ticks_per_second == ticks_per_second_ && std::abs(zero_ns - *zero_ns_) < kMostDrift_ns;
}

}  // namespace jrec
