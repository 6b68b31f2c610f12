// SPDX-License-Identifier: Apache-2.0
#include "format/archive/member_copier.h"

namespace jfr::archive {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

Error damaged_piece(uint64_t at) { return Error{ErrorCode::kCorrupt, at, "a piece of the archive is damaged"}; }

}  // namespace

Status MemberCopier::copy(const Member& member) {
  Member copy = member;
  for (Part& part : copy.parts) {
    auto copied = this->copy(part);
    if (!copied) return copied.error();
    part = std::move(*copied);
  }
  return to_.add_member(copy);
}

Result<Part> MemberCopier::copy(const Part& part) {
  Part copy = part;
  for (uint64_t& at : copy.metadata) {
    const auto there = metadata(at);
    if (!there) return there.error();
    at = *there;
  }
  for (auto& [at, types] : copy.bases) {
    const auto there = metadata(types);
    const auto piece = there ? chunk(at) : there;
    if (!piece) return piece.error();
    types = *there;
    at = *piece;
  }
  const auto there = chunk(copy.piece);
  if (!there) return there.error();
  copy.piece = *there;
  return copy;
}

Result<uint64_t> MemberCopier::chunk(uint64_t at) {
  if (const auto known = copied_.find(at); known != copied_.end()) return known->second;
  const auto piece = from_.whole_piece(at);
  if (!piece || piece->head.kind != PieceKind::kChunk) return damaged_piece(at);
  auto there = to_.add_piece(make_piece(piece->head.kind, piece->head.coding, piece->stored, piece->head.size));
  if (there) copied_[at] = *there;
  return there;
}

// Not copied as it is: a patch names its base by its distance, and the other archive may know the content.
Result<uint64_t> MemberCopier::metadata(uint64_t at) {
  if (const auto known = copied_.find(at); known != copied_.end()) return known->second;
  const auto content = read_metadata_piece(from_, at);
  if (!content) return damaged_piece(at);
  auto there = to_.add_metadata(*content);
  if (there) copied_[at] = *there;
  return there;
}

}  // namespace jfr::archive
