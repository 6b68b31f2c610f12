// SPDX-License-Identifier: Apache-2.0
// Events that tell of losses: jdk.DataLoss (bytes), jdk.CPUTimeSamplesLost and rec.Counters (samples).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "format/reader/chunk.h"

namespace jrec {

struct ToldLoss {
  std::string cause;  // as rec.Counters names it; of the others the field that tells: "amount", "lostSamples"
  int64_t count = 0;
  bool is_loss = true;  // false: what else rec.Counters tells (lost_samples.h)
};

bool tells_of_losses(std::string_view event_type);
// Of such an event; false where it has not the field.
bool read_loss(jfr::read::Chunk& chunk, const jfr::read::Event& event, const jfr::read::Type& type, ToldLoss& loss);

}  // namespace jrec
