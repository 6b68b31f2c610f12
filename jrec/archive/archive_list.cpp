// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/archive_list.h"

#include <fmt/core.h>

#include <algorithm>

#include "format/archive/piece_walk.h"
#include "jrec/archive/archive_file.h"
#include "jrec/archive/member_span.h"
#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

using jfr::archive::Member;
using jfr::archive::Part;

// What a member says of itself, added up.
struct Row {
  uint64_t stored = 0;  // bytes of its own pieces; shared metadata is nobody's
  MemberSpan span;
};

Row row_of(const Member& member, const jfr::archive::ArchiveBytes& archive) {
  Row row{0, span_of(member, archive)};
  for (const Part& part : member.parts)
    if (const auto piece = archive.piece(part.piece))
      row.stored += jfr::archive::kPieceHeadBytes + piece->stored.size();
  return row;
}

std::string time_text(int64_t ns) {
  std::string text;
  append_time_ns(ns, 0, text);
  return text;
}

void add_json(const Member& member, const Row& row, std::string& out) {
  out += "{\"name\":";
  append_json_string(member.name, out);
  append_format(out, ",\"size\":{},\"stored\":{},\"chunks\":{}", member.size, row.stored, row.span.chunks);
  if (row.span.chunks > 0)
    append_format(out, ",\"start\":\"{}\",\"seconds\":{:.3f}", time_text(row.span.start_ns),
                  static_cast<double>(row.span.end_ns - row.span.start_ns) / 1e9);
  append_format(out, ",\"added\":\"{}\",\"labels\":{{", time_text(member.added_ns));
  for (size_t i = 0; i < member.labels.size(); ++i) {
    const std::string& label = member.labels[i];
    const size_t equals = label.find('=');
    if (i != 0) out += ',';
    append_json_string(label.substr(0, equals), out);
    out += ':';
    append_json_string(equals == std::string::npos ? "" : label.substr(equals + 1), out);
  }
  out += "}}\n";
}

void add_line(const Member& member, const Row& row, std::string& out) {
  append_format(out, "{:>14} {:>12} {:>6}  {:<30} {}", member.size, row.stored, row.span.chunks,
                row.span.chunks == 0 ? "-" : time_text(row.span.start_ns), plain(member.name));
  for (const std::string& label : member.labels) out += " " + plain(label);
  out += '\n';
}

}  // namespace

ExitCode run_archive_list(const ArchiveListOptions& options, Output& out) {
  ArchiveFile archive(options.archive);
  if (!archive.open()) return archive.finish();
  if (!options.json)
    out.add(fmt::format("{:>14} {:>12} {:>6}  {:<30} {}\n", "size", "stored", "chunks", "start", "member"));
  const std::vector<const Member*> members = archive.members(options.members);
  std::vector<uint64_t> pieces;
  for (const Member* member : members)
    for (const Part& part : member->parts) pieces.push_back(part.piece);
  archive.bytes().raw().expect(pieces);
  for (const Member* member : members) {
    const Row row = row_of(*member, archive.bytes());
    options.json ? add_json(*member, row, out.text()) : add_line(*member, row, out.text());
    out.flush_if_large();
  }
  return archive.finish();
}

}  // namespace jrec
