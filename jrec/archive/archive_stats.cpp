// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/archive_stats.h"

#include <fmt/core.h>

#include <map>

#include "format/archive/piece_walk.h"
#include "jrec/archive/archive_file.h"
#include "jrec/base/columns.h"
#include "jrec/base/escape.h"

namespace jrec {
namespace {

using jfr::archive::Member;
using jfr::archive::PieceCoding;
using jfr::archive::PieceKind;

struct PieceSum {
  uint64_t pieces = 0, stored = 0, size = 0;
};

// What a piece is, for people.
std::string piece_name(const jfr::archive::PieceHead& head) {
  switch (head.kind) {
    case PieceKind::kChunk:
      if (head.coding == PieceCoding::kOldColumns) return "chunks of version 0.9, in columns";
      return is_columns(head.coding) ? "chunks, in columns" : "chunks and other bytes, as they are";
    case PieceKind::kMetadata: return head.coding == PieceCoding::kPatch ? "metadata, as patches" : "metadata";
    case PieceKind::kMember: return "members";
    case PieceKind::kEnd: return "ends of commits";
    case PieceKind::kParity: return "parity";
    case PieceKind::kTable: return "tables of members";
  }
  return "others";
}

void add_sums(const std::map<std::string, PieceSum>& sums, const std::string& caption, const char* counted,
              Output& out) {
  out.add(fmt::format("{:<40} {:>8} {:>16} {:>14} {:>7}\n", caption, counted, "bytes", "stored", "share"));
  for (const auto& [name, sum] : sums)
    out.add(fmt::format("{:<40} {:>8} {:>16} {:>14} {:>6.1f}%\n", plain(name), sum.pieces, sum.size, sum.stored,
                        percent(sum.stored, sum.size)));
}

std::map<std::string, PieceSum> by_kind(const jfr::archive::ArchiveBytes& archive) {
  std::map<std::string, PieceSum> sums;
  jfr::archive::PieceWalk walk(archive, jfr::archive::first_piece(archive.raw()));
  while (const auto piece = walk.next()) {
    PieceSum& sum = sums[piece_name(piece->head)];
    ++sum.pieces;
    sum.stored += piece->end() - piece->at;
    sum.size += piece->head.size;
  }
  return sums;
}

std::string label_value(const Member& member, const std::string& key) {
  for (const std::string& label : member.labels)
    if (label.starts_with(key + "=")) return label;
  return "(no " + key + ")";
}

std::map<std::string, PieceSum> by_label(ArchiveFile& archive, const std::string& key) {
  std::map<std::string, PieceSum> sums;
  for (const Member& member : archive.catalogue().members) {
    PieceSum& sum = sums[label_value(member, key)];
    ++sum.pieces;
    sum.size += member.size;
    for (const auto& part : member.parts)
      if (const auto piece = archive.bytes().piece(part.piece)) sum.stored += piece->end() - part.piece;
  }
  return sums;
}

}  // namespace

ExitCode run_archive_stats(const ArchiveStatsOptions& options, Output& out) {
  ArchiveFile archive(options.archive);
  if (!archive.open()) return archive.finish();
  uint64_t size = 0;
  for (const Member& member : archive.catalogue().members) size += member.size;
  const size_t members = archive.catalogue().members.size();
  out.add(fmt::format("{} members of {} bytes in {} bytes: {:.1f} %\n\n", members, size, archive.bytes().size(),
                      percent(archive.bytes().size(), size)));
  add_sums(by_kind(archive.bytes()), "pieces", "pieces", out);
  out.add("\n");
  add_sums(by_label(archive, options.by), "chunks, by " + options.by, "members", out);
  return archive.finish();
}

}  // namespace jrec
