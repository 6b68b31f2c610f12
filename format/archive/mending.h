// SPDX-License-Identifier: Apache-2.0
// What parity (parity.h) finds damaged in an archive, and what it writes back into the file.
//
// A block that is being mended was damaged before, and its parity stays: whoever is killed meanwhile loses nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "format/archive/archive_bytes.h"
#include "format/archive/catalogue.h"

namespace jfr::archive {

struct ParityCheck {
  std::vector<uint64_t> mendable, beyond;  // where damaged blocks begin
  struct Range {
    uint64_t from = 0, to = 0;
  };
  std::vector<Range> uncovered;  // what no parity is there of, or a damaged one

  bool clean() const { return mendable.empty() && beyond.empty() && uncovered.empty(); }
};

// Of all that was committed. Reads it once.
ParityCheck check_parity(const ArchiveBytes& archive, const Catalogue& catalogue);

// Writes the damaged blocks of a band as they were, as far as that can be; how many. kSystem: cannot be written.
base::Result<uint64_t> mend_band(int fd, std::span<const uint8_t> archive, const Band& band);

// Mends the file at that path, which nobody else may write to: first its blocks, then parity that is damaged where all
// that it covers is whole. The last band's is its ArchiveWriter's.
struct Mended {
  uint64_t blocks = 0, parities = 0;
};
base::Result<Mended> mend_archive(const std::string& path);

}  // namespace jfr::archive
