// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/recording.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <utility>

#include "base/redact.h"
#include "jrec/base/escape.h"
#include "jrec/http/remote_object.h"
#include "jrec/input/chunk_parts.h"
#include "jrec/input/joined_input.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

// To the millisecond, with the offset.
std::string time_text(int64_t unix_ns, int32_t utc_offset_s) {
  constexpr int64_t kMillisecond_ns = 1'000'000;
  std::string text;
  append_time_ns(unix_ns - floor_mod(unix_ns, kMillisecond_ns), utc_offset_s, text);
  return text;
}

}  // namespace

void complain(const std::string& subject, const base::Error& error) {
  const bool placed = error.code == base::ErrorCode::kCorrupt || error.code == base::ErrorCode::kLimit;
  const std::string where = placed ? fmt::format("at {:#x}: ", error.offset) : "";
  const std::string line = fmt::format("jrec: {}: {}{}\n", plain(base::redact_userinfo(subject)), where,
                                       plain(base::redact_userinfo(error.what)));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

ExitCode code_of_unopened(const base::Error& error) {
  return is_fault_of_server(error) ? kNothingReadable : kUsageError;
}

Recording::Recording(const std::vector<std::string>& paths, TimeChoice times)
    : path_(name_of(paths)), paths_(paths), times_(std::move(times)) {
  if (paths.size() == 1) paths_.clear();
}

std::string Recording::name_of(const std::vector<std::string>& paths) {
  return paths.size() == 1 ? paths.front() : fmt::format("{} and {} more", paths.front(), paths.size() - 1);
}

bool Recording::open() {
  base::Result<std::unique_ptr<Input>> input = paths_.empty() ? Input::open(path_, problems_, times_, range_)
                                                              : open_joined(paths_, problems_, times_, range_, path_);
  if (input) {
    input_ = std::move(*input);
    met_on_opening_ = problems_.kept().size();
    copies_ = ChunkCopies(*input_, problems_);
    if (input_->size() == 0 && problems_.empty()) problems_.add(base::Error{base::ErrorCode::kUsage, 0, "is empty"});
    return input_->size() != 0;
  }
  open_failed_ = true;
  damaged_ = !problems_.empty();
  server_failed_ = code_of_unopened(input.error()) == kNothingReadable;
  problems_.add(input.error());
  return false;
}

Recording::Pieces::Pieces(Input& input, jfr::read::Problems& problems) : input_(input) {
  if (input.restores()) return;
  assert(input.stretches() == 1 && "what is mapped is all of a file");
  file_ = *input.read(0);
  scanner_.emplace(file_.bytes, problems);
}

std::optional<Recording::Piece> Recording::Pieces::next() {
  if (!scanner_) {
    if (at_ == input_.stretches()) return std::nullopt;
    const size_t at = at_++;
    return Piece{at, input_.outline(at), std::nullopt, at_ == input_.stretches()};
  }
  const auto extent = scanner_->next();
  if (!extent) return std::nullopt;
  const Input::Outline outline{extent->offset, extent->size, true, extent->header.start_ns,
                               static_cast<uint64_t>(std::max<int64_t>(0, extent->header.duration_ns))};
  return Piece{0, outline, extent, extent->offset + extent->size >= input_.size(), extent->size <= kSmallPiece};
}

std::vector<Recording::Piece> Recording::pieces() {
  std::vector<Piece> all;
  Pieces pieces(*input_, problems_);
  while (const auto piece = pieces.next()) all.push_back(*piece);
  return all;
}

// Bytes behind an unfinished chunk are a segment in flight, and no damage (chunk_scanner.h).
void Recording::note(const Piece& piece, const Met& met) {
  const bool in_flight = after_unfinished_ && !piece.outline.is_chunk && met.chunks.empty();
  if (!in_flight) problems_.add(met.between);
  problems_.add(met.inside);
  after_unfinished_ = met.unfinished;
  chunks_ += met.chunks.size();
  for (const MetChunk& chunk : met.chunks) note(chunk);
}

void Recording::note(const MetChunk& met) {
  const jfr::read::ChunkExtent& extent = met.extent;
  any_unfinished_ |= extent.header.state != jfr::kStateFinished;
  const std::array<uint64_t, 3> key{static_cast<uint64_t>(extent.header.start_ns),
                                    static_cast<uint64_t>(extent.header.start_ticks), extent.size};
  const auto [first, is_new] = met_first_.try_emplace(key, extent.offset);
  if (!is_new && first->second != extent.offset) met_again_.insert(extent.offset);
  recorded_twice_.meet(met.writer, extent.header);
}

Recording::Had Recording::have(size_t stretch) {
  Had had;
  if (copies_.is_copy(stretch)) return had;
  base::Result<Stretch> read = input_->read(stretch);
  if (read) return had.stretch = std::move(*read), had;
  had.problems.add(read.error());
  for (const size_t copy : copies_.copies_of(stretch))
    if (read = input_->read(copy); read) return had.stretch = std::move(*read), had;
  return had;
}

Stretch Recording::read(const jfr::read::ChunkExtent& extent) {
  size_t at = input_->stretches() - 1;
  while (input_->outline(at).offset > extent.offset) --at;
  base::Result<Stretch> stretch = input_->read(at);
  if (!stretch) return problems_.add(stretch.error()), Stretch{extent.offset, {}, nullptr};
  assert(extent.offset - stretch->offset + extent.size <= stretch->bytes.size() && "the chunk was met in this stretch");
  return {extent.offset, stretch->bytes.subspan(extent.offset - stretch->offset, extent.size), stretch->owner};
}

void Recording::refuse(const base::Error& error) {
  complain(path_, error);
  refused_ = true;
}

std::string Recording::path_at(uint64_t offset) const {
  const Input::Place place = input_->place_of(offset);
  return place.path.empty() ? path_ : place.path;
}

// What was met on opening lies in the file, even where that is an archive.
void Recording::complain_of(const base::Error& problem, bool on_opening) const {
  const bool is_placed = problem.code == base::ErrorCode::kCorrupt || problem.code == base::ErrorCode::kLimit;
  Input::Place place;
  if (input_ && is_placed) place = on_opening ? input_->place_of(problem.offset) : input_->member_of(problem.offset);
  if (place.path.empty()) return complain(path_, problem);
  base::Error there = problem;
  there.offset = place.offset;
  complain(place.path, there);
}

void Recording::say(std::string what) const {
  complain(path_, base::Error{base::ErrorCode::kUsage, 0, std::move(what)});
}

// With their offsets: who chose another time most often had another zone in mind.
void Recording::tell_times() const {
  if (!chooses_nothing()) return;
  const RecordingSpan span = input_->span();
  say(fmt::format("--from and --to choose a time before or behind the recording, which is from {} to {}",
                  time_text(span.start_ns, span.utc_offset_s), time_text(span.end_ns, span.utc_offset_s)));
}

bool Recording::chooses_nothing() const {
  if (!input_ || range_.everything() || any_unfinished_) return false;
  const RecordingSpan span = input_->span();
  return span != RecordingSpan() && !range_.meets(span.start_ns, span.end_ns);
}

ExitCode Recording::finish() const {
  tell_times();
  if (const auto advice = input_ ? input_->advice() : std::nullopt) complain(path_, *advice);
  for (size_t i = 0; i < problems_.kept().size(); ++i) complain_of(problems_.kept()[i], i < met_on_opening_);
  const size_t more = problems_.count() - problems_.kept().size();
  if (more != 0) say(fmt::format("{} more problems of this kind", more));
  if (copies_.count() != 0)
    say(fmt::format("{} chunk{} in several of the files, as in dumps that overlap: taken once", copies_.count(),
                    copies_.count() == 1 ? " stands" : "s stand"));
  if (const size_t parts = input_ && !refused_ ? overlapping_parts(*input_, copies_) : 0; parts != 0)
    say(fmt::format(
        "{} chunks of the files are parts of the same ones, as in cuts whose times overlap: what is in several of "
        "them counts each time",
        parts));
  if (!refused_)
    for (std::string& twice : recorded_twice_.sentences()) say(std::move(twice));
  if (!met_again_.empty())
    say(
        fmt::format("{} of {} chunks stand there more than once, as in dumps that overlap: what is in them counts each "
                    "time (jrec merge takes them once)",
                    met_again_.size(), met_first_.size() + met_again_.size()));
  if (server_failed_) return kNothingReadable;
  if (open_failed_ && damaged_) return kDamaged;
  if (open_failed_ || refused_) return kUsageError;
  if (chunks_ == 0) return kNothingReadable;
  return problems_.empty() ? kDone : kDamaged;
}

}  // namespace jrec
