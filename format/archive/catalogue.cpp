// SPDX-License-Identifier: Apache-2.0
#include "format/archive/catalogue.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>
#include <optional>

#include "format/archive/metadata_piece.h"

namespace jfr::archive {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

constexpr size_t kMagicBytes = 4, kVersionAt = 4;
constexpr uint8_t kFirstVersion = 1;
constexpr uint64_t kFetchedTogether = 4u << 20;  // of a table, from afar

// Of members and tables: a file that is small is not made to unpack to much.
constexpr uint64_t most_unpacked(uint64_t archive_size) { return (16u << 20) + 16 * archive_size; }

std::span<const uint8_t> tail_of(const Source& archive) {
  return archive.size() < kEndTail ? std::span<const uint8_t>() : archive.read(archive.size() - kEndTail, kEndTail);
}

// Unpacked; `left` is what may be.
std::optional<std::vector<uint8_t>> content_at(const ArchiveBytes& archive, uint64_t at, PieceKind kind, uint64_t most,
                                               uint64_t& left) {
  const auto piece = archive.whole_piece(at);
  if (!piece || piece->head.kind != kind) return std::nullopt;
  auto content = unpack_piece(piece->head, piece->stored, std::min(most, left));
  if (content) left -= content->size();
  return content;
}

std::optional<Member> member_at(const ArchiveBytes& archive, uint64_t at, uint64_t& left) {
  const auto content = content_at(archive, at, PieceKind::kMember, kMostMemberBytes, left);
  return content ? read_member(*content) : std::nullopt;
}

class CatalogueReader {
 public:
  CatalogueReader(const ArchiveBytes& archive, read::Problems& problems, Catalogue& catalogue)
      : archive_(archive), raw_(archive.raw()), problems_(problems), catalogue_(catalogue) {}

  void run() {
    catalogue_.committed = first_;
    if (archive_.size() == first_) return;
    if (const uint64_t last = last_end(); last == 0 || !by_ends(last) || catalogue_.committed < proved_) {
      catalogue_ = {};
      catalogue_.committed = first_;
      left_ = most_unpacked(raw_.size());
      by_pieces();
    }
    catalogue_.tail = tail();
  }

 private:
  uint64_t last_end() {
    const uint64_t named = end_by_tail();
    return named != 0 ? named : end_by_pieces();
  }

  uint64_t end_by_tail() const {
    const auto tail = tail_of(raw_);
    if (raw_.size() < first_ + kPieceHeadBytes + kEndTail || !is_archive_tail(tail)) return 0;
    const uint64_t at = get64(tail.data());
    EndContent end;
    return read_end_at(at, end) ? at : 0;
  }

  uint64_t end_by_pieces() {
    uint64_t last = 0;
    EndContent end;
    PieceWalk walk(archive_, first_, PieceWalk::Heads::kAsTheyLie);
    while (const auto piece = walk.next()) {
      if (piece->head.kind == PieceKind::kEnd && read_end_at(piece->at, end)) last = piece->at;
      if (piece->head.kind != PieceKind::kParity) continue;
      const auto band = band_at(raw_, piece->at);
      if (band && band->end != 0) proved_ = band->to;
    }
    return last;
  }

  // Where it ends; 0: it is damaged, or none.
  uint64_t read_end_at(uint64_t at, EndContent& end) const {
    if (at == 0) return 0;
    const auto piece = archive_.whole_piece(at);
    return piece && piece->head.kind == PieceKind::kEnd && read_end(piece->stored, at, end) ? piece->end() : 0;
  }

  // A commit; or several, by a table.
  struct Commits {
    EndContent end;
    std::optional<MemberTable> table;
    uint64_t before() const { return table ? table->before : end.previous; }
  };

  // From the last END to the first. False when the way is not whole.
  bool by_ends(uint64_t last) {
    std::vector<Commits> commits;
    for (uint64_t at = last; at != 0; at = commits.back().before()) {
      Commits& each = commits.emplace_back();
      const uint64_t behind = read_end_at(at, each.end);
      if (behind == 0) return false;
      if (at == last) catalogue_.committed = behind;
      if (each.end.table != 0) each.table = table_at(each.end.table, at);
    }
    catalogue_.last_end = last;
    catalogue_.band = commits.front().end.band;
    std::ranges::reverse(commits);
    expect_members(commits);
    return std::ranges::all_of(commits, [&](Commits& each) { return add(each); });
  }

  // Damaged, it is none: the ENDs that it stands for are there.
  std::optional<MemberTable> table_at(uint64_t at, uint64_t end) {
    static_cast<void>(raw_.read(at, std::min(end - at, kFetchedTogether)));
    const auto content = content_at(archive_, at, PieceKind::kTable, kMostTableBytes, left_);
    return content ? read_table(*content, at) : std::nullopt;
  }

  void expect_members(const std::vector<Commits>& commits) const {
    std::vector<uint64_t> places;
    for (const Commits& each : commits)
      if (!each.table) places.insert(places.end(), each.end.members.begin(), each.end.members.end());
    raw_.expect(places);
  }

  bool add(Commits& commits) {
    if (commits.table) return add_table(*commits.table), true;
    EndContent& end = commits.end;
    add_span({end.previous, end.members.size(), std::move(end.metadata), false});
    return std::ranges::all_of(end.members, [&](uint64_t member) { return add_member(member); });
  }

  void add_table(MemberTable& table) {
    std::ranges::move(table.members, std::back_inserter(catalogue_.members));
    add_span({table.before, table.members.size(), std::move(table.metadata), true});
  }

  void add_span(CommitSpan span) {
    for (const auto& [hash, place] : span.metadata) catalogue_.metadata[hash] = place;
    catalogue_.spans.push_back(std::move(span));
  }

  bool add_member(uint64_t at) {
    auto member = member_at(archive_, at, left_);
    if (!member) return false;
    catalogue_.members.push_back(std::move(*member));
    return true;
  }

  // Every piece that was committed.
  void by_pieces() {
    PieceWalk walk(archive_, first_);
    std::vector<PlacedPiece> pieces;
    while (auto piece = walk.next()) {
      if (walk.skipped() > 0) note(piece->at - walk.skipped(), "bytes that are no part of the archive");
      pieces.push_back(std::move(*piece));
      find_commit(pieces.back());
    }
    for (const PlacedPiece& piece : pieces)
      if (piece.at < catalogue_.committed) take(piece);
  }

  void find_commit(const PlacedPiece& piece) {
    EndContent end;
    const uint64_t behind = piece.head.kind == PieceKind::kEnd ? read_end_at(piece.at, end) : 0;
    catalogue_.committed = std::max({catalogue_.committed, behind, proved_});
  }

  void take(const PlacedPiece& piece) {
    if (piece.head.kind == PieceKind::kParity) {
      const auto band = band_at(raw_, piece.at);
      if (band) catalogue_.band = band->piece_end;
      return;
    }
    if (!archive_.whole_piece(piece.at)) return note(piece.at, "a damaged piece");
    if (piece.head.kind == PieceKind::kMember) {
      if (!add_member(piece.at)) return note(piece.at, "no member");
      catalogue_.members_without_end.push_back(piece.at);
    }
    if (piece.head.kind == PieceKind::kMetadata) {
      const auto content = read_metadata_piece(archive_, piece.at);
      if (!content) return note(piece.at, "no metadata");
      catalogue_.metadata[hash_of(*content)] = piece.at;
      catalogue_.metadata_without_end.emplace_back(hash_of(*content), piece.at);
    }
  }

  // An add that has begun has put a piece behind what was committed.
  Catalogue::Tail tail() {
    const uint64_t committed = catalogue_.committed;
    if (committed == raw_.size()) return Catalogue::Tail::kMissing;
    if (catalogue_.band >= committed) return unknown_tail();
    const auto band = band_of(raw_, catalogue_.band, committed);
    if (band && band->piece_end == raw_.size() && is_whole(raw_, *piece_at(raw_, band->at)))
      return Catalogue::Tail::kWhole;
    if (ends_like_parity(BlockSizes::kOne) || ends_like_parity(BlockSizes::kByBand)) return Catalogue::Tail::kDamaged;
    return unknown_tail();
  }

  // The file is as long as it would be with that parity, and no piece of an add stands in its place.
  bool ends_like_parity(BlockSizes sizes) const {
    const Band band = new_band(catalogue_.band, catalogue_.committed, catalogue_.last_end | 1, sizes);
    return raw_.size() == band.piece_end && (band.to == band.at || !piece_at(raw_, band.to));
  }

  Catalogue::Tail unknown_tail() {
    note(catalogue_.committed, "bytes that were never committed: an add has not ended, or the archive was cut");
    return Catalogue::Tail::kUnknown;
  }

  void note(uint64_t at, const char* what) { problems_.add(Error{ErrorCode::kCorrupt, at, what}); }

  const ArchiveBytes& archive_;
  const Source& raw_;
  read::Problems& problems_;
  Catalogue& catalogue_;
  const uint64_t first_ = first_piece(raw_);
  uint64_t left_ = most_unpacked(raw_.size());  // bytes that may be unpacked
  uint64_t proved_ = 0;                         // up to here it was committed, says parity behind an END
};

bool begins_like_one(std::span<const uint8_t> bytes) {
  return bytes.size() >= kArchiveHeadBytes && std::memcmp(bytes.data(), kArchiveHead.data(), kMagicBytes) == 0;
}

// By its head, with what stands behind it; nothing: this is none.
std::optional<uint8_t> version_of(std::span<const uint8_t> bytes) {
  if (!begins_like_one(bytes) || (bytes[5] | bytes[6] | bytes[7]) != 0) return std::nullopt;
  const uint8_t version = bytes[kVersionAt];
  if (version < kOldestVersion || version > kVersion) return std::nullopt;
  const auto behind = bytes.subspan(kArchiveHeadBytes);
  const HeadMark expected = version >= kSeveralBasesVersion ? HeadMark::kName
                            : version >= kDeepVersion       ? HeadMark::kZeros
                                                            : HeadMark::kNone;
  return behind.empty() || head_mark(behind) == expected ? std::optional(version) : std::nullopt;
}

// One that this program does not know: parity says that the head is what was written.
bool is_later_version(const ArchiveBytes& archive, std::span<const uint8_t> head) {
  if (!begins_like_one(head) || (head[5] | head[6] | head[7]) != 0 || head[kVersionAt] <= kVersion) return false;
  const auto& bands = archive.bands();
  return !bands.empty() && bands.front().from == 0 && is_whole(archive.raw(), bands.front(), 0);
}

// Its version; the oldest one where the head is damaged.
Result<uint8_t> read_head_of(const ArchiveBytes& archive, read::Problems& problems) {
  const Source& source = archive.raw();
  const size_t size = source.size() < kArchiveHead.size() ? kArchiveHeadBytes : kArchiveHead.size();
  const auto raw = source.read(0, size);
  if (const auto version = version_of(raw)) return *version;
  if (!is_archive(source)) return Error{ErrorCode::kUsage, 0, "is no archive"};
  if (const auto version = version_of(archive.mended(0, size))) return *version;
  const bool known = piece_at(source, first_piece(source)) || is_archive_tail(tail_of(source));
  if (!known || is_later_version(archive, raw))
    return raw[kVersionAt] == kFirstVersion
               ? Error{ErrorCode::kUsage, kVersionAt, "is an archive of version 1, which was never released"}
               : Error{ErrorCode::kUsage, kVersionAt,
                       "is an archive of a version that is not known: a newer jrec wrote it"};
  problems.add(Error{ErrorCode::kCorrupt, 0, "the archive's head is damaged"});
  return kOldestVersion;
}

}  // namespace

bool is_archive(const Source& bytes) {
  return begins_like_one(bytes.read(0, kArchiveHeadBytes)) || piece_at(bytes, first_piece(bytes)).has_value() ||
         is_archive_tail(tail_of(bytes));
}

Result<Catalogue> Catalogue::read(const ArchiveBytes& archive, read::Problems& problems) {
  const auto version = read_head_of(archive, problems);
  if (!version) return version.error();
  Catalogue catalogue;
  CatalogueReader(archive, problems, catalogue).run();
  catalogue.version = *version;
  return catalogue;
}

const Member* Catalogue::find(std::string_view name) const {
  const auto found =
      std::find_if(members.rbegin(), members.rend(), [&](const Member& each) { return each.name == name; });
  return found == members.rend() ? nullptr : &*found;
}

std::vector<Member> members_behind(const ArchiveBytes& archive, const Catalogue& catalogue) {
  std::vector<Member> members;
  uint64_t left = most_unpacked(archive.size());
  PieceWalk walk(archive, catalogue.committed);
  while (const auto piece = walk.next())
    if (auto member = member_at(archive, piece->at, left)) members.push_back(std::move(*member));
  return members;
}

}  // namespace jfr::archive
