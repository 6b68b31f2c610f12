// SPDX-License-Identifier: Apache-2.0
#include "format/archive/base_shelf.h"

#include <cassert>

namespace jfr::archive {

BaseShelf::BaseShelf(const Catalogue& catalogue)
    : most_bases_(catalogue.version >= kSeveralBasesVersion ? kMostBases : 1) {
  std::unordered_map<uint64_t, uint64_t> hash_at;
  for (const auto& [hash, at] : catalogue.metadata) hash_at[at] = hash;
  for (const Member& member : catalogue.members)
    for (const Part& part : member.parts) {
      if (!part.is_chunk()) continue;  // of version 0.9
      for (const uint64_t metadata : part.metadata) {
        const Chunk chunk{hash_at[metadata], {part.piece, metadata}, part.size};
        part.bases.empty() ? add(chunk) : use(chunk, part.bases, part.same_program);
      }
    }
}

Bases BaseShelf::of(uint64_t metadata) const {
  const auto known = known_.find(metadata);
  return known == known_.end() ? Bases() : fresh(known->second);
}

Bases BaseShelf::fresh(uint64_t first) const {
  const auto row = rows_.find(first);
  return row == rows_.end() || row->second.uses >= kMostUses ? Bases() : row->second.bases;
}

bool BaseShelf::has_room(const Bases& bases, uint64_t size) const {
  const auto found = bases.empty() ? rows_.end() : rows_.find(bases.front().chunk);
  if (found == rows_.end() || found->second.bases != bases) return false;
  const Row& row = found->second;
  return bases.size() < most_bases_ && row.uses < kGrowingUses && row.bytes <= kMostBytes &&
         size <= kMostBytes - row.bytes;
}

void BaseShelf::add(const Chunk& chunk) {
  assert(chunk.place.chunk != 0 && "no base is at 0: the archive's head is there");
  rows_[chunk.place.chunk] = {{chunk.place}, chunk.size, 0};
  known_[chunk.metadata] = newest_ = chunk.place.chunk;
}

void BaseShelf::use(const Chunk& chunk, const Bases& bases, bool same_program) {
  assert(!bases.empty() && "a chunk without bases stands by itself");
  const uint64_t first = bases.front().chunk;
  uint64_t& known = known_.try_emplace(chunk.metadata).first->second;
  if (same_program) known = first;
  const bool next = same_program && has_room(bases, chunk.size);
  Row& row = rows_[first];
  ++row.uses;
  if (same_program && row.bases.size() < bases.size()) row = {bases, kMostBytes, row.uses};  // their members have gone
  if (!next) return;
  row.bases.push_back(chunk.place);
  row.bytes += chunk.size;
}

}  // namespace jfr::archive
