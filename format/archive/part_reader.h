// SPDX-License-Identifier: Apache-2.0
// PartReader gives the bytes of a member's parts. Several threads may use one: the contents of metadata events are
// kept.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "format/archive/archive_bytes.h"
#include "format/archive/base_reader.h"
#include "format/archive/member.h"

namespace jfr::archive {

class PartReader {
 public:
  explicit PartReader(const ArchiveBytes& archive) : archive_(archive) {}
  explicit PartReader(ArchiveBytes&&) = delete;  // it must outlive this

  // kCorrupt, with the offset of the damaged piece: there is no way to have them.
  base::Result<std::vector<uint8_t>> read(const Part& part);

 private:
  using Content = std::shared_ptr<const std::vector<uint8_t>>;
  Content metadata(uint64_t piece);  // null when it is damaged
  static base::Result<std::vector<uint8_t>> old_chunks(const PlacedPiece& piece,
                                                       std::span<const std::span<const uint8_t>> metadata,
                                                       const Part& part);

  const ArchiveBytes& archive_;
  std::mutex mutex_;
  std::map<uint64_t, Content> metadata_;
  BaseReader bases_;
};

}  // namespace jfr::archive
