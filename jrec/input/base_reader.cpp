// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/base_reader.h"

#include "format/archive/chunk_codec.h"
#include "format/archive/piece_walk.h"
#include "format/reader/mapped_file.h"

namespace jrec {

using jfr::archive::Blocks;
using jfr::archive::PieceCoding;
using jfr::archive::PieceKind;
namespace {

SharedBlocks blocks_at(std::span<const uint8_t> archive, uint64_t at) {
  const auto piece = jfr::archive::piece_at(archive, at);
  if (piece) jfr::read::will_need(piece->stored);
  if (!piece || piece->head.kind != PieceKind::kChunk || piece->head.coding != PieceCoding::kColumns || !is_whole(*piece))
    return nullptr;
  auto blocks = jfr::archive::unpack_blocks(piece->stored, jfr::archive::block_limit(piece->head.size), nullptr);
  return blocks ? std::make_shared<const Blocks>(std::move(*blocks)) : nullptr;
}

}  // namespace

SharedBlocks BaseReader::read(std::span<const uint8_t> archive, uint64_t at) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [place, blocks] : kept_)
      if (place == at) return blocks;
  }
  SharedBlocks blocks = blocks_at(archive, at);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (kept_.size() == kKept) kept_.pop_front();
  kept_.emplace_back(at, blocks);
  return blocks;
}

}  // namespace jrec
