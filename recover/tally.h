// SPDX-License-Identifier: Apache-2.0
// Tally counts what becomes of chunks on their way into a recording. Damage is told at once, to whoever derives from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace rec {

struct Tally {
  size_t kept = 0;  // chunks: as they were
  size_t repaired = 0;
  size_t dropped = 0;
  size_t from_spools = 0;  // chunks made of what was only in spools
  uint64_t spool_samples = 0;
  uint64_t spool_bytes = 0;  // about what these take; of a dry run alone
  uint64_t lost = 0;         // samples that the process had counted as lost, told by no chunk before
  uint64_t bytes = 0;        // of chunks that are kept or repaired
  uint64_t samples = 0;
  std::vector<std::string> spools;  // directories of those that belong to it

  size_t chunks_met() const { return kept + repaired + dropped; }
  virtual void add_damage(const std::string& file, const base::Error& error) = 0;

 protected:
  Tally() = default;
  Tally(const Tally&) = default;
  Tally& operator=(const Tally&) = default;
  ~Tally() = default;
};

// 1234567 -> "1,234,567".
inline std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

}  // namespace rec
