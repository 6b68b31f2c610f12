// SPDX-License-Identifier: Apache-2.0
#include "format/archive/base_shelf.h"

#include <cassert>

namespace jfr::archive {

BaseShelf::BaseShelf(const Catalogue& catalogue) {
  std::unordered_map<uint64_t, uint64_t> hash_at;
  for (const auto& [hash, at] : catalogue.metadata) hash_at[at] = hash;
  for (const Member& member : catalogue.members)
    for (const Part& part : member.parts)
      for (const uint64_t metadata : part.metadata)
        part.base == 0 ? add(hash_at[metadata], {part.piece, metadata}) : use(hash_at[metadata], part.base);
}

BaseShelf::Base BaseShelf::of(uint64_t metadata) const {
  const auto known = known_.find(metadata);
  return known == known_.end() ? Base() : fresh(known->second);
}

BaseShelf::Base BaseShelf::fresh(const Base& base) const {
  const auto uses = uses_.find(base.chunk);
  return uses != uses_.end() && uses->second >= kMostUses ? Base() : base;
}

void BaseShelf::add(uint64_t metadata, const Base& base) { known_[metadata] = newest_ = base; }

void BaseShelf::use(uint64_t metadata, uint64_t base) {
  assert(base != 0 && "no base is at 0: the archive's head is there");
  known_.try_emplace(metadata);
  ++uses_[base];
}

}  // namespace jfr::archive
