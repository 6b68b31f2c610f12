// SPDX-License-Identifier: Apache-2.0
// A metadata piece has the content of a metadata event: in columns, or as a patch of another such piece, as the
// metadata of two recordings mostly differ by a few event types or numbers.
//
//   kPatch    LEB128 how far back the base begins, and a zstd frame that refers to its content
//
// A base is no patch itself.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "format/archive/archive_bytes.h"
#include "format/archive/blocks.h"
#include "format/archive/number_codec.h"
#include "format/archive/piece.h"

namespace jfr::archive {

struct MetadataBase {
  uint64_t at = 0;  // where its piece begins
  std::vector<uint8_t> content;
};

// A piece that will begin at `at`, in the smallest way that there is. level: as of pack_blocks().
std::vector<uint8_t> make_metadata_piece(std::span<const uint8_t> content, uint64_t at,
                                         std::span<const MetadataBase> bases, int level = kBestLevel,
                                         NewCodings news = kAllCodings);

// The content of the piece that begins there. Nothing when it, or its base, is damaged or no metadata.
std::optional<std::vector<uint8_t>> read_metadata_piece(const ArchiveBytes& archive, uint64_t at);

}  // namespace jfr::archive
