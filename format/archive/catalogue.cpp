// SPDX-License-Identifier: Apache-2.0
#include "format/archive/catalogue.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "format/archive/metadata_piece.h"
#include "format/archive/number_codec.h"
#include "format/archive/piece_walk.h"

namespace jfr::archive {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

constexpr size_t kMagicBytes = 4;
constexpr char kTailMagic[] = {'R', 'E', 'C', 'Z', '-', 'E', 'N', 'D'};

void append64(uint64_t value, std::vector<uint8_t>& out) {
  for (int i = 0; i < 8; ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

bool take64(std::span<const uint8_t> bytes, size_t& at, uint64_t& value) {
  if (bytes.size() - at < 8) return false;
  value = 0;
  for (int i = 0; i < 8; ++i) value |= uint64_t{bytes[at++]} << (8 * i);
  return true;
}

// A distance back from `at`, to where something may begin.
bool take_back(std::span<const uint8_t> bytes, size_t& cursor, uint64_t at, uint64_t& place) {
  uint64_t distance = 0;
  if (!take_varint(bytes, cursor, distance) || distance == 0 || distance > at) return false;
  place = at - distance;
  return true;
}

class CatalogueReader {
 public:
  CatalogueReader(std::span<const uint8_t> archive, read::Problems& problems, Catalogue& catalogue)
      : archive_(archive), problems_(problems), catalogue_(catalogue) {}

  void run() {
    if (archive_.size() == kArchiveHead.size() || by_ends()) return;
    catalogue_ = {};
    by_pieces();
  }

 private:
  // From the last END to the first. False when the way is not whole.
  bool by_ends() {
    uint64_t at = 0;
    std::vector<EndContent> ends;
    if (!tail(at)) return false;
    catalogue_.last_end = at;
    for (catalogue_.committed = archive_.size(); at != 0; at = ends.back().previous) {
      const auto piece = piece_at(archive_, at);
      EndContent& end = ends.emplace_back();
      if (!piece || piece->head.kind != PieceKind::kEnd || !is_whole(*piece) || !read_end(piece->stored, at, end))
        return false;
    }
    for (size_t i = ends.size(); i-- > 0;) {
      for (const uint64_t member : ends[i].members)
        if (!add_member(member)) return false;
      for (const auto& [hash, place] : ends[i].metadata) catalogue_.metadata[hash] = place;
    }
    return true;
  }

  bool tail(uint64_t& at) const {
    size_t cursor = archive_.size() - kEndTail;
    return archive_.size() >= kArchiveHead.size() + kPieceHeadBytes + kEndTail && take64(archive_, cursor, at) &&
           at != 0 && std::memcmp(archive_.data() + cursor, kTailMagic, sizeof kTailMagic) == 0;
  }

  bool add_member(uint64_t at) {
    const auto piece = piece_at(archive_, at);
    if (!piece || piece->head.kind != PieceKind::kMember) return false;
    const auto content = unpack_piece(piece->head, piece->stored, kMostMemberBytes);
    auto member = content ? read_member(*content) : std::nullopt;
    if (!member) return false;
    catalogue_.members.push_back(std::move(*member));
    return true;
  }

  // Every piece that there is.
  void by_pieces() {
    PieceWalk walk(archive_, kArchiveHead.size());
    while (const auto piece = walk.next()) {
      if (walk.skipped() > 0) note(piece->at - walk.skipped(), "bytes that are no part of the archive");
      if (!is_whole(*piece)) {
        note(piece->at, "a damaged piece");
        continue;
      }
      take(*piece);
    }
    if (walk.skipped() > 0) note(archive_.size() - walk.skipped(), "bytes that are no part of the archive");
  }

  void take(const PlacedPiece& piece) {
    if (piece.head.kind == PieceKind::kMember) {
      if (!add_member(piece.at)) return note(piece.at, "no member");
      catalogue_.members_without_end.push_back(piece.at);
      catalogue_.committed = piece.end();
    }
    if (piece.head.kind == PieceKind::kMetadata) {
      const auto content = read_metadata_piece(archive_, piece.at);
      if (!content) return note(piece.at, "no metadata");
      catalogue_.metadata[hash_of(*content)] = piece.at;
      catalogue_.metadata_without_end.emplace_back(hash_of(*content), piece.at);
    }
    if (piece.head.kind == PieceKind::kEnd) {
      catalogue_.last_end = piece.at;
      catalogue_.committed = piece.end();
      catalogue_.members_without_end.clear();
      catalogue_.metadata_without_end.clear();
    }
  }

  void note(uint64_t at, const char* what) { problems_.add(Error{ErrorCode::kCorrupt, at, what}); }

  const std::span<const uint8_t> archive_;
  read::Problems& problems_;
  Catalogue& catalogue_;
};

}  // namespace

// A damaged head is no reason to lose what stands behind it.
bool is_archive(std::span<const uint8_t> bytes) {
  return (bytes.size() >= kArchiveHead.size() && std::memcmp(bytes.data(), kArchiveHead.data(), kMagicBytes) == 0) ||
         piece_at(bytes, kArchiveHead.size()).has_value();
}

Result<Catalogue> Catalogue::read(std::span<const uint8_t> archive, read::Problems& problems) {
  if (!is_archive(archive)) return Error{ErrorCode::kUsage, 0, "is no archive"};
  if (std::memcmp(archive.data(), kArchiveHead.data(), kArchiveHead.size()) != 0) {
    if (archive.size() > kArchiveHead.size() && !piece_at(archive, kArchiveHead.size()))
      return Error{ErrorCode::kUsage, kMagicBytes, "is an archive of a version that is not known"};
    problems.add(Error{ErrorCode::kCorrupt, 0, "the archive's head is damaged"});
  }
  Catalogue catalogue;
  CatalogueReader(archive, problems, catalogue).run();
  return catalogue;
}

const Member* Catalogue::find(std::string_view name) const {
  const auto found =
      std::find_if(members.rbegin(), members.rend(), [&](const Member& each) { return each.name == name; });
  return found == members.rend() ? nullptr : &*found;
}

std::vector<uint8_t> write_end(const EndContent& end, uint64_t at) {
  assert(end.previous < at && "an END tells how far back the one before is");
  std::vector<uint8_t> out;
  append_varint(end.previous == 0 ? 0 : at - end.previous, out);
  append_varint(end.members.size(), out);
  for (const uint64_t member : end.members) append_varint(at - member, out);
  append_varint(end.metadata.size(), out);
  for (const auto& [hash, piece] : end.metadata) {
    append64(hash, out);
    append_varint(at - piece, out);
  }
  append64(at, out);
  out.insert(out.end(), std::begin(kTailMagic), std::end(kTailMagic));
  return out;
}

bool read_end(std::span<const uint8_t> content, uint64_t at, EndContent& end) {
  size_t cursor = 0;
  uint64_t distance = 0, count = 0;
  if (!take_varint(content, cursor, distance) || distance > at) return false;
  end.previous = distance == 0 ? 0 : at - distance;
  if (!take_varint(content, cursor, count) || count > content.size()) return false;
  for (end.members.resize(count); uint64_t & member : end.members)
    if (!take_back(content, cursor, at, member)) return false;
  if (!take_varint(content, cursor, count) || count > content.size()) return false;
  for (end.metadata.resize(count); auto& [hash, piece] : end.metadata)
    if (!take64(content, cursor, hash) || !take_back(content, cursor, at, piece)) return false;
  uint64_t own = 0;
  return take64(content, cursor, own) && own == at && content.size() - cursor == sizeof kTailMagic &&
         std::memcmp(content.data() + cursor, kTailMagic, sizeof kTailMagic) == 0;
}

}  // namespace jfr::archive
