// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/program_identity.h"

#include <algorithm>

#include "jrec/input/constant_hash.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Type;

// False when the two say different things of one key.
template <typename Small, typename Large>
bool agree(const Small& small, const Large& large) {
  return std::all_of(small.begin(), small.end(), [&](const auto& entry) {
    const auto other = large.find(entry.first);
    return other == large.end() || other->second == entry.second;
  });
}

}  // namespace

ProgramIdentity::ProgramIdentity(Chunk& chunk) : process_(writer_of(chunk)) {
  if (!process_) return;
  for (const Type& type : chunk.metadata().types()) types_.emplace(type.name, type.id);
  for_each_constant(chunk, [&](uint64_t name, uint64_t content) { constants_.emplace(name, content); });
}

bool ProgramIdentity::same_as(const ProgramIdentity& other) const {
  if (!process_ || process_ != other.process_ || process_->pid == 0) return false;
  return agree(types_, other.types_) && agree(constants_, other.constants_);
}

}  // namespace jrec
