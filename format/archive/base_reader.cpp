// SPDX-License-Identifier: Apache-2.0
#include "format/archive/base_reader.h"

#include <algorithm>
#include <cassert>

#include "format/archive/chunk_codec.h"
#include "format/archive/chunk_model.h"
#include "format/archive/metadata_piece.h"
#include "format/reader/mapped_file.h"

namespace jfr::archive {

namespace {

base::Result<jfr::read::Metadata> damaged_metadata() {
  return base::Error{base::ErrorCode::kCorrupt, 0, "a piece of the archive is damaged"};
}

}  // namespace

BaseReader::Base BaseReader::find(const ArchiveBytes& archive, uint64_t at) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Base& base : kept_)
      if (base.at == at) return base;
  }
  Base base{at, 0, {}, std::nullopt};
  if (const auto there = archive.piece(at)) jfr::read::will_need(there->stored);
  const auto piece = archive.whole_piece(at);
  if (piece && piece->head.kind == PieceKind::kChunk && piece->head.coding == PieceCoding::kColumns) {
    base.size = piece->head.size;
    auto blocks = unpack_blocks(piece->stored, block_limit(base.size), nullptr);
    if (blocks) base.ready = {std::make_shared<const Blocks>(std::move(*blocks)), std::make_shared<ZstdDictionaries>()};
  }
  keep(base);
  return base;
}

SharedLexicon BaseReader::lexicon(const ArchiveBytes& archive, uint64_t at, uint64_t metadata) {
  Base base = find(archive, at);
  if (base.lexicon) return *base.lexicon;
  const auto content = read_metadata_piece(archive, metadata);
  const auto types = content ? metadata_of(*content) : damaged_metadata();
  base.lexicon = base.ready.blocks && types ? Lexicon::of(*base.ready.blocks, *types, value_limit(base.size)) : nullptr;
  keep(base);
  return *base.lexicon;
}

void BaseReader::keep(const Base& base) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::erase_if(kept_, [&](const Base& kept) { return kept.at == base.at; });
  if (kept_.size() == kKept) kept_.pop_front();
  assert(kept_.size() < kKept && "only the last few are kept");
  kept_.push_back(base);
}

}  // namespace jfr::archive
