// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/archive_input.h"

#include <fmt/core.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "format/archive/chunk_model.h"
#include "format/archive/metadata_piece.h"
#include "format/archive/part_reader.h"
#include "jrec/base/local_path.h"
#include "jrec/input/open_archive.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using jfr::archive::ArchiveBytes;
using jfr::archive::Catalogue;
using jfr::archive::Member;
using jfr::archive::Part;
using jfr::archive::PartReader;
using jfr::read::Problems;

// A part, and whose it is.
struct Chosen {
  const Part* part;
  const Member* member;

  const Part* operator->() const { return part; }
};
using Parts = std::vector<Chosen>;

constexpr std::string_view kSuffix = ".recz:";

// By their time, as files are that are read together, and not by when they were added. Those without chunks are the last.
struct MemberOrder {
  explicit MemberOrder(const Member& member) : name(member.name) {
    for (const Part& part : member.parts)
      if (part.is_chunk()) start_ns = std::min(start_ns, part.start_ns), end_ns = std::max(end_ns, part.end_ns());
  }
  int64_t start_ns = INT64_MAX, end_ns = INT64_MIN;
  std::string_view name;
  auto operator<=>(const MemberOrder&) const = default;
};

Parts parts_of(const Catalogue& catalogue, const std::string& members) {
  std::vector<const Member*> found;
  const Member* exactly = catalogue.find(members);
  for (const Member& member : catalogue.members)
    if (exactly != nullptr ? &member == exactly : ::fnmatch(members.c_str(), member.name.c_str(), 0) == 0)
      found.push_back(&member);
  std::ranges::stable_sort(found, {}, [](const Member* member) { return MemberOrder(*member); });
  Parts parts;
  for (const Member* member : found)
    for (const Part& part : member->parts) parts.push_back({&part, member});
  return parts;
}

int32_t utc_offset_s_of(const ArchiveBytes& archive, const Part& part) {
  if (part.metadata.empty()) return 0;
  const auto content = jfr::archive::read_metadata_piece(archive, part.metadata.front());
  if (!content) return 0;
  const auto metadata = jfr::archive::metadata_of(*content);
  return metadata ? checked_utc_offset_s(metadata->utc_offset_ms()) : 0;
}

// Of all chunks, by their headers.
RecordingSpan span_of_member(const ArchiveBytes& archive, const Parts& parts) {
  RecordingSpan span;
  bool first = true;
  for (const Chosen& part : parts) {
    if (!part->is_chunk()) continue;
    if (first) span = {part->start_ns, part->start_ns, utc_offset_s_of(archive, *part.part)};
    first = false;
    span.start_ns = std::min(span.start_ns, part->start_ns);
    span.end_ns = std::max(span.end_ns, part->end_ns());
  }
  return span;
}

// An event that is asked for may start in the range.
bool may_hold(const Part& part, const TimeRange& range, const TimeChoice& choice) {
  return range.meets(part.first_event_ns(), part.last_event_ns()) ||
         std::ranges::any_of(part.far, [&](const jfr::archive::FarStarts& far) {
           return (!choice.wants || choice.wants(far.type)) && range.meets(far.first_ns, far.last_ns);
         });
}

bool is_chunk(const Chosen& part) { return part->is_chunk(); }
bool has_chunks(const Parts& parts) { return std::ranges::any_of(parts, is_chunk); }

// There is no recording without a chunk. What is none is read, as damage is told whatever time is asked for.
Parts narrowed(const Parts& parts, const TimeRange& range, const TimeChoice& choice) {
  if (!has_chunks(parts)) return parts;
  Parts kept;
  std::ranges::copy_if(parts, std::back_inserter(kept),
                       [&](const Chosen& part) { return !is_chunk(part) || may_hold(*part.part, range, choice); });
  if (!has_chunks(kept)) kept.push_back(*std::ranges::find_if(parts, is_chunk));
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

// As who opened it says it.
std::string name_of_member(const std::string& archive, const std::string& member) {
  const std::string query = query_of(archive);
  return archive.substr(0, archive.size() - query.size()) + ":" + member + query;
}

uint64_t offset_in_member(const Chosen& chosen) {
  uint64_t offset = 0;
  for (const Part* before = chosen.member->parts.data(); before != chosen.part; ++before) offset += before->size;
  return offset;
}

class ArchiveInput : public MembersInput {
 public:
  ArchiveInput(std::string path, std::unique_ptr<OpenArchive> archive, Parts parts)
      : path_(std::move(path)), archive_(std::move(archive)), reader_(archive_->bytes()) {
    set_parts(std::move(parts));
  }

  base::Status choose(const TimeChoice& choice, TimeRange& range) override {
    if (choice.chooses() && has_chunks(parts_)) {
      const Result<TimeRange> chosen = choice.choose(span_);
      if (!chosen) return chosen.error();
      range = *chosen;
    }
    const RecordingSpan whole = span_;
    if (!range.everything()) set_parts(narrowed(parts_, range, choice));
    span_ = whole;  // as of files, which have all of their chunks still
    return base::Done{};
  }
  void limit(Problems& problems) override {
    if (Parts kept = limited(parts_, problems); kept.size() != parts_.size()) set_parts(std::move(kept));
  }
  std::optional<Error> failure() const override { return archive_->failure(); }

  uint64_t size() const override { return size_; }
  size_t stretches() const override { return parts_.size(); }
  Outline outline(size_t at) const override {
    const Part& part = *parts_[at].part;
    return {offsets_[at], part.size, part.is_chunk(), part.start_ns, part.duration_ns, members_[at]};
  }
  RecordingSpan span() const override { return span_; }
  bool restores() const override { return true; }
  std::optional<Error> advice() const override { return archive_->advice(); }

  Result<Stretch> read(size_t at) override {
    const Part& part = *parts_[at].part;
    if (Owner kept = take_kept(&part)) return Stretch{offsets_[at], *kept, kept};
    Result<std::vector<uint8_t>> restored = reader_.read(part);
    if (const auto failure = archive_->failure(); failure && !restored) return *failure;
    if (!restored) return not_restored(at, restored.error());
    if (restored->size() != part.size)
      return not_restored(at, Error{ErrorCode::kCorrupt, part.piece, "it is not as long as it says"});
    const Owner owner = std::make_shared<const std::vector<uint8_t>>(std::move(*restored));
    keep(&part, owner);
    return Stretch{offsets_[at], *owner, owner};
  }

  Place member_of(uint64_t offset) const override {
    size_t at = offsets_.size() - 1;
    while (at > 0 && offsets_[at] > offset) --at;
    return {name_of_member(path_, parts_[at].member->name), offset_in_member(parts_[at]) + offset - offsets_[at]};
  }

  void read_again_later(bool later) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    keeps_ = later;
  }

 private:
  // With its place in the archive, for who mends that.
  Error not_restored(size_t at, const Error& of_piece) const {
    if (of_piece.code != ErrorCode::kCorrupt) return of_piece;
    return {ErrorCode::kCorrupt, offsets_[at],
            fmt::format("its piece at {:#x} of the archive: {}", of_piece.offset, of_piece.what)};
  }

  // Of all that is kept. Twice the work is better than the memory of a whole recording.
  static constexpr uint64_t kMostKept = uint64_t{32} << 20;
  using Owner = std::shared_ptr<const std::vector<uint8_t>>;

  void set_parts(Parts parts) {
    parts_ = std::move(parts);
    offsets_.clear();
    members_.clear();
    size_ = 0;
    for (size_t i = 0; i < parts_.size(); ++i) {
      offsets_.push_back(std::exchange(size_, size_ + parts_[i]->size));
      members_.push_back(i == 0 ? 0 : members_.back() + (parts_[i].member != parts_[i - 1].member));
    }
    span_ = span_of_member(archive_->bytes(), parts_);
  }

  Owner take_kept(const Part* part) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = kept_.find(part);
    if (found == kept_.end()) return nullptr;
    Owner owner = found->second;
    if (keeps_) return owner;
    kept_bytes_ -= owner->size();
    kept_.erase(found);
    return owner;
  }
  void keep(const Part* part, const Owner& owner) {
    const std::lock_guard<std::mutex> lock(mutex_);
    assert(kept_bytes_ <= kMostKept && "what is kept is bounded");
    if (!keeps_ || owner->size() > kMostKept - kept_bytes_) return;
    if (kept_.emplace(part, owner).second) kept_bytes_ += owner->size();
  }

  const std::string path_;
  const std::unique_ptr<OpenArchive> archive_;
  PartReader reader_;
  Parts parts_;  // of the archive's catalogue
  RecordingSpan span_;
  std::vector<uint64_t> offsets_;  // of each part in the recording
  std::vector<size_t> members_;    // whose each part is: the first member's, the second's, ...
  uint64_t size_ = 0;

  std::mutex mutex_;  // for all below
  bool keeps_ = false;
  std::map<const Part*, Owner> kept_;
  uint64_t kept_bytes_ = 0;  // at most kMostKept
};

}  // namespace

std::optional<ArchivePlace> archive_place(const std::string& path) {
  // Who is let in, and what a server is asked, is no part of a name.
  const size_t begin = is_remote(path) ? path.find('/', path.find("://") + 3) : 0;
  const size_t end = path.size() - query_of(path).size(), at = path.find(kSuffix, begin);
  if (at >= end || ::access(path.c_str(), F_OK) == 0) return std::nullopt;
  const size_t member = at + kSuffix.size();
  return ArchivePlace{path.substr(0, member - 1) + path.substr(end), path.substr(member, end - member)};
}

Result<std::unique_ptr<MembersInput>> MembersInput::open(const ArchivePlace& place, Problems& problems) {
  auto archive = OpenArchive::open(place.archive, problems);
  if (!archive) return archive.error();
  Parts parts = parts_of((*archive)->catalogue(), place.members);
  if (parts.empty()) return no_such_member((*archive)->catalogue(), place.members);
  return std::unique_ptr<MembersInput>(
      std::make_unique<ArchiveInput>(place.archive, std::move(*archive), std::move(parts)));
}

}  // namespace jrec
