// SPDX-License-Identifier: Apache-2.0
#include "format/archive/base_shelf.h"

namespace jfr::archive {

BaseShelf::BaseShelf(const Catalogue& catalogue) {
  std::unordered_map<uint64_t, uint64_t> hash_at;
  for (const auto& [hash, at] : catalogue.metadata) hash_at[at] = hash;
  for (const Member& member : catalogue.members)
    for (const Part& part : member.parts)
      for (const uint64_t metadata : part.metadata)
        part.base == 0 ? add(hash_at[metadata], part.piece) : use(hash_at[metadata], part.base);
}

uint64_t BaseShelf::of(uint64_t metadata) const {
  const auto known = known_.find(metadata);
  return known == known_.end() ? 0 : fresh(known->second);
}

uint64_t BaseShelf::fresh(uint64_t chunk) const {
  const auto uses = uses_.find(chunk);
  return uses != uses_.end() && uses->second >= kMostUses ? 0 : chunk;
}

void BaseShelf::add(uint64_t metadata, uint64_t chunk) { known_[metadata] = newest_ = chunk; }

void BaseShelf::use(uint64_t metadata, uint64_t base) {
  known_.try_emplace(metadata, 0);
  ++uses_[base];
}

}  // namespace jfr::archive
