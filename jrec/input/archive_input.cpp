// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/archive_input.h"

#include <fmt/core.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "format/archive/catalogue.h"
#include "format/archive/chunk_model.h"
#include "format/archive/metadata_piece.h"
#include "format/archive/part_reader.h"
#include "jrec/input/input.h"
#include "jrec/input/scratch_file.h"
#include "jrec/input/side_by_side.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using jfr::archive::Catalogue;
using jfr::archive::Member;
using jfr::archive::Part;
using jfr::read::MappedFile;
using jfr::read::Problems;
using Parts = std::vector<const Part*>;
using Bytes = std::span<const uint8_t>;

constexpr std::string_view kSuffix = ".recz:";

Parts parts_of(const Catalogue& catalogue, const std::string& members) {
  Parts parts;
  const Member* exactly = catalogue.find(members);
  for (const Member& member : catalogue.members)
    if (exactly != nullptr ? &member == exactly : ::fnmatch(members.c_str(), member.name.c_str(), 0) == 0)
      for (const Part& part : member.parts) parts.push_back(&part);
  return parts;
}

int32_t utc_offset_s_of(Bytes archive, const Part& part) {
  if (part.metadata.empty()) return 0;
  const auto content = jfr::archive::read_metadata_piece(archive, part.metadata.front());
  if (!content) return 0;
  const auto metadata = jfr::archive::metadata_of(*content);
  return metadata ? checked_utc_offset_s(metadata->utc_offset_ms()) : 0;
}

// Of all chunks, by their headers.
RecordingSpan span_of_member(Bytes archive, const Parts& parts) {
  RecordingSpan span;
  bool first = true;
  for (const Part* part : parts) {
    if (!part->is_chunk()) continue;
    if (first) span = {part->start_ns, part->start_ns, utc_offset_s_of(archive, *part)};
    first = false;
    span.start_ns = std::min(span.start_ns, part->start_ns);
    span.end_ns = std::max(span.end_ns, part->end_ns());
  }
  return span;
}

// There is no recording without a chunk.
Parts narrowed(const Parts& parts, const TimeRange& range) {
  Parts kept, chunks;
  std::ranges::copy_if(parts, std::back_inserter(chunks), &Part::is_chunk);
  std::ranges::copy_if(chunks, std::back_inserter(kept),
                       [&](const Part* part) { return range.meets(part->first_event_ns(), part->last_event_ns()); });
  if (kept.empty() && !chunks.empty()) kept.push_back(chunks.front());
  return kept;
}

// As many as may be unpacked.
Parts limited(const Parts& parts, Problems& problems) {
  const uint64_t most = input_limits().unpacked_bytes;
  uint64_t size = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i]->size <= most - size) {
      size += parts[i]->size;
      continue;
    }
    problems.add(Error{ErrorCode::kLimit, parts[i]->piece,
                       fmt::format("what is restored is larger than {} bytes; --max-unpacked allows more", most)});
    return Parts(parts.begin(), parts.begin() + static_cast<ptrdiff_t>(i));
  }
  return parts;
}

Status restore(Bytes archive, const Parts& parts, int to, Problems& problems) {
  PartReader reader(archive);
  Status status = base::Done{};
  side_by_side(
      parts.size(), [&](size_t i) { return reader.read(*parts[i]); },
      [&](size_t, Result<std::vector<uint8_t>>&& part) {
        if (part)
          status = write_all(to, part.value());
        else
          problems.add(part.error());
        return status.ok();
      });
  return status;
}

}  // namespace

std::optional<ArchivePlace> archive_place(const std::string& path) {
  const size_t at = path.find(kSuffix);
  if (at == std::string::npos || ::access(path.c_str(), F_OK) == 0) return std::nullopt;
  return ArchivePlace{path.substr(0, at + kSuffix.size() - 1), path.substr(at + kSuffix.size())};
}

Result<MappedFile> open_members(const ArchivePlace& place, const TimeChoice& choose, TimeRange& range,
                                Problems& problems) {
  auto file = MappedFile::open(place.archive);
  if (!file) return file.error();
  file->read_at_random();
  auto catalogue = Catalogue::read(file->bytes(), problems);
  if (!catalogue) return catalogue.error();
  Parts parts = parts_of(*catalogue, place.members);
  if (parts.empty()) return Error{ErrorCode::kUsage, 0, "holds no member " + place.members};
  if (choose) {
    const Result<TimeRange> chosen = choose(span_of_member(file->bytes(), parts));
    if (!chosen) return chosen.error();
    range = *chosen;
  }
  if (!range.everything()) parts = narrowed(parts, range);
  Result<Descriptor> scratch = make_scratch_file();
  if (!scratch) return scratch.error();
  if (const Status done = restore(file->bytes(), limited(parts, problems), scratch->get(), problems); !done)
    return done.error();
  return MappedFile::of(scratch->get());
}

}  // namespace jrec
