// SPDX-License-Identifier: Apache-2.0
// Sealing writes one spool's events that no chunk has into chunks of their own. Ordinary threads only.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "recorder/spool/loss.h"
#include "recorder/spool/spool.h"

namespace rec {

struct SealedSpool {
  uint64_t samples = 0;
  std::vector<std::string> chunks;  // paths
};

// The counters of a recording that no chunk has reported. The samples are not taken from a spool: what is in the chunks
// tells them.
struct UntoldCounters {
  uint64_t samples = 0;  // in chunks of the dead process (dead_repository.h: untold_samples())
  std::array<uint64_t, kLossCount> losses{};
  std::array<uint64_t, kNoteCount> notes{};

  // Takes the larger of each: at a rotation two spools may hold the same ones. Nonsense is left out.
  void merge(const SpoolHeader& header);
  uint64_t lost() const;
  bool none() const;
};

// About how many bytes a chunk of the events from that slot on takes, and rather more.
uint64_t likely_chunk_bytes(Spool& spool, uint32_t from_slot);

// Writes the events from that slot on, and the counters behind them. prefix: of the chunks' names, the same for the
// same spool each time. On an error the chunks made so far are listed.
Status seal_spool(Spool& spool, uint32_t from_slot, const UntoldCounters& counters, const std::string& directory,
                  const std::string& prefix, SealedSpool& sealed);

}  // namespace rec
