// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/chunk_copies.h"

#include <algorithm>
#include <array>
#include <map>

namespace jrec {
namespace {

bool differ(Input& input, size_t one, size_t other) {
  if (!input.outline(one).mapped || !input.outline(other).mapped) return false;
  const auto ours = input.read(one), theirs = input.read(other);
  const bool are_alike = ours && theirs && std::ranges::equal(ours->bytes, theirs->bytes);
  for (const size_t each : {one, other}) input.let_go(input.outline(each).offset, input.outline(each).size);
  return !are_alike;
}

}  // namespace

ChunkCopies::ChunkCopies(Input& input) : first_(input.stretches()) {
  std::map<std::array<uint64_t, 3>, size_t> known;
  for (size_t i = 0; i < first_.size(); ++i) {
    const Input::Outline outline = input.outline(i);
    first_[i] = i;
    if (!outline.is_chunk) continue;
    const auto [found, is_new] =
        known.try_emplace({static_cast<uint64_t>(outline.start_ns), outline.duration_ns, outline.size}, i);
    if (is_new || input.outline(found->second).file == outline.file || differ(input, found->second, i)) continue;
    first_[i] = found->second;
    ++count_;
  }
}

std::vector<size_t> ChunkCopies::copies_of(size_t stretch) const {
  std::vector<size_t> copies;
  for (size_t i = stretch + 1; i < first_.size(); ++i)
    if (first_[i] == stretch) copies.push_back(i);
  return copies;
}

}  // namespace jrec
