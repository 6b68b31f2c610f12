// SPDX-License-Identifier: Apache-2.0
#include "format/archive/archive_bytes.h"

#include <algorithm>

namespace jfr::archive {

std::optional<PlacedPiece> ArchiveBytes::piece(uint64_t at) const {
  if (auto piece = piece_at(raw_, at)) return piece;
  const auto head = read_head(mended(at, kPieceHeadBytes));
  return head ? std::optional(placed(raw_, at, *head)) : std::nullopt;
}

std::optional<PlacedPiece> ArchiveBytes::whole_piece(uint64_t at) const {
  auto piece = this->piece(at);
  if (!piece || is_whole(raw_, *piece)) return piece;
  const auto copy = std::make_shared<const std::vector<uint8_t>>(mended(at + kPieceHeadBytes, piece->head.stored));
  piece->stored = *copy;
  piece->owner = copy;
  return is_whole(*piece) ? piece : std::nullopt;
}

std::vector<uint8_t> ArchiveBytes::mended(uint64_t at, uint64_t size) const {
  const auto raw = raw_.read(at, size);
  std::vector<uint8_t> bytes(raw.begin(), raw.end());
  if (bytes.empty()) return bytes;  // places come from files: this one may lie anywhere
  for (uint64_t place = at; place < at + bytes.size();) place = mend_block(place, at, bytes);
  return bytes;
}

// Of the block of that place what is among the bytes, which begin at `from`. Where the next one begins.
uint64_t ArchiveBytes::mend_block(uint64_t place, uint64_t from, std::vector<uint8_t>& bytes) const {
  const auto band = std::ranges::find_if(bands(), [&](const Band& each) { return each.covers(place); });
  if (band == bands().end()) return block_end(place + 1, kLeastBlockBytes);
  const uint64_t number = (place - band->from) / band->block;
  const uint64_t block = band->begin_of(number), next = std::min(block + band->block, band->to);
  if (is_whole(raw_, *band, number)) return next;
  const auto was = mend(raw_, *band, number);
  if (!was) return next;
  const uint64_t begin = std::max(block, from), end = std::min(block + was->size(), from + bytes.size());
  if (begin < end)
    std::copy(was->begin() + static_cast<ptrdiff_t>(begin - block), was->begin() + static_cast<ptrdiff_t>(end - block),
              bytes.begin() + static_cast<ptrdiff_t>(begin - from));
  const std::lock_guard<std::mutex> lock(mutex_);
  mended_.insert(block);
  return next;
}

std::set<uint64_t> ArchiveBytes::mended_blocks() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return mended_;
}

const std::vector<Band>& ArchiveBytes::bands() const {
  std::call_once(bands_once_, [this] { bands_ = bands_of(raw_); });
  return bands_;
}

}  // namespace jfr::archive
