// SPDX-License-Identifier: Apache-2.0
#include "format/archive/words.h"

namespace jfr::archive {
namespace {

std::vector<uint8_t> bytes_of(std::span<const uint8_t> words) { return {words.begin(), words.end()}; }

ReadyBase ready(Blocks blocks) {
  return {std::make_shared<const Blocks>(std::move(blocks)), std::make_shared<ZstdDictionaries>()};
}

}  // namespace

const ReadyBase& chunk_words() {
  static const ReadyBase words = ready({.texts = bytes_of(kJavaWords)});
  return words;
}

const ReadyBase& metadata_words() {
  static const ReadyBase words = ready({.front = bytes_of(kTypeWords)});
  return words;
}

const Blocks* words_of(const PieceHead& head) {
  if (head.coding != PieceCoding::kWordColumns) return nullptr;
  return (head.kind == PieceKind::kMetadata ? metadata_words() : chunk_words()).blocks.get();
}

}  // namespace jfr::archive
