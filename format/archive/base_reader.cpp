// SPDX-License-Identifier: Apache-2.0
#include "format/archive/base_reader.h"

#include <algorithm>
#include <cassert>

#include "format/archive/chunk_codec.h"
#include "format/archive/chunk_model.h"
#include "format/archive/metadata_piece.h"
#include "format/archive/words.h"
#include "format/reader/mapped_file.h"

namespace jfr::archive {

namespace {

base::Result<jfr::read::Metadata> damaged_metadata() {
  return base::Error{base::ErrorCode::kCorrupt, 0, "a piece of the archive is damaged"};
}

void append(const std::vector<uint8_t>& bytes, std::vector<uint8_t>& to) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// What zstd may find again. Columns by models are not looked at.
SharedBlocks joined(const SharedBlocks& before, const SharedBlocks& last) {
  if (!before) return last;
  auto all = std::make_shared<Blocks>(*before);
  append(last->front, all->front);
  append(last->texts, all->texts);
  for (const auto& [stream, bytes] : last->large) append(bytes, all->large[stream]);
  return all;
}

}  // namespace

ReadyBase BaseReader::ready(const ArchiveBytes& archive, std::span<const BaseChunk> bases) {
  return bases.empty() ? ReadyBase() : find(archive, bases).ready;
}

BaseReader::Base BaseReader::find(const ArchiveBytes& archive, std::span<const BaseChunk> bases) {
  assert(!bases.empty() && bases.size() <= kMostBases && "who has no base asks for none");
  if (auto known = kept(bases)) return std::move(*known);
  const auto before = bases.first(bases.size() - 1);
  Base base{{bases.begin(), bases.end()}, 0, nullptr, {}, std::nullopt};
  const uint64_t at = bases.back().chunk;
  if (const auto there = archive.piece(at)) jfr::read::will_need(there->stored);
  const SharedBlocks blocks_before = ready(archive, before).blocks;
  const auto piece = archive.whole_piece(at);
  const bool columns = piece && piece->head.kind == PieceKind::kChunk && is_columns(piece->head.coding);
  if (columns && (before.empty() || blocks_before)) {
    base.size = piece->head.size;
    const Blocks* const packed_with = blocks_before ? blocks_before.get() : words_of(piece->head);
    if (auto own = unpack_blocks(piece->stored, block_limit(base.size), packed_with)) {
      base.own = std::make_shared<const Blocks>(std::move(*own));
      base.ready = {joined(blocks_before, base.own), std::make_shared<ZstdDictionaries>()};
    }
  }
  keep(base);
  return base;
}

SharedLexicon BaseReader::lexicon(const ArchiveBytes& archive, std::span<const BaseChunk> bases) {
  if (bases.empty()) return nullptr;
  Base base = find(archive, bases);
  if (base.lexicon) return *base.lexicon;
  const SharedLexicon before = lexicon(archive, bases.first(bases.size() - 1));
  const auto content = read_metadata_piece(archive, bases.back().metadata);
  const auto types = content ? metadata_of(*content) : damaged_metadata();
  const bool readable = base.own && types && (bases.size() == 1 || before);
  base.lexicon =
      readable ? Lexicon::of(*base.own, *types, value_limit(base.size), before, learned(bases).get()) : nullptr;
  keep(base);
  return *base.lexicon;
}

void BaseReader::keep_learned(uint64_t chunk, const Bases& bases, LearnedStacks stacks) {
  auto shared = std::make_shared<const LearnedStacks>(std::move(stacks));
  const std::lock_guard<std::mutex> lock(mutex_);
  if (learned_.size() == kLearnedKept) learned_.pop_front();
  learned_.push_back({chunk, bases, std::move(shared)});
}

std::shared_ptr<const LearnedStacks> BaseReader::learned(std::span<const BaseChunk> bases) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::ranges::find_if(learned_, [&](const Learned& each) {
    return each.chunk == bases.back().chunk && std::ranges::equal(each.bases, bases.first(bases.size() - 1));
  });
  return found == learned_.end() ? nullptr : found->stacks;
}

std::optional<BaseReader::Base> BaseReader::kept(std::span<const BaseChunk> bases) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found =
      std::ranges::find_if(kept_, [&](const Base& base) { return std::ranges::equal(base.bases, bases); });
  if (found == kept_.end()) return std::nullopt;
  std::rotate(found, found + 1, kept_.end());  // who was asked for last goes last
  return kept_.back();
}

void BaseReader::keep(const Base& base) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::erase_if(kept_, [&](const Base& kept) { return kept.bases == base.bases; });
  if (kept_.size() == kKept) kept_.pop_front();
  assert(kept_.size() < kKept && "only the last few are kept");
  kept_.push_back(base);
}

}  // namespace jfr::archive
