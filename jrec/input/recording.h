// SPDX-License-Identifier: Apache-2.0
// Recording is one input of a command: it opens it, hands out its chunks, and tells of the damage at the end.
//
//   Recording recording(path);
//   if (!recording.open()) return recording.finish();
//   recording.each_chunk([&](jfr::read::Chunk& chunk) { ... });
//   return recording.finish();
//
//   each_chunk   one after the other
//   each_part    side by side, on several threads:   chunk --read--> part      any thread, any order
//                                                    part  --take-->           the caller's, in the order of the file
//   pieces       what can be opened by itself, now or later: a chunk of a file, or a stretch of an archive
//
// It does not matter whether that is a file, a pipe or an archive (input.h), or several of them: a chunk that more than one has is visited once
// (chunk_copies.h). A chunk that has been read lets its memory go: what is there at a time is at most jobs() + 1 chunks, and not the recording.
//
// Every chunk that was visited is searched for flaws, also in what the visit did not look at: a damaged recording never
// passes for a whole one.
//
// finish() writes one line per problem to stderr, `jrec: FILE: at 0x1a40: what`, control characters escaped, and yields
// the exit code. Where the chosen time is none of the recording's, it says when that is.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "format/header_layout.h"
#include "format/reader/chunk.h"
#include "format/reader/chunk_flaws.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/problems.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/progress.h"
#include "jrec/input/chunk_copies.h"
#include "jrec/input/input.h"
#include "jrec/input/recorded_twice.h"
#include "jrec/input/recording_span.h"
#include "jrec/input/side_by_side.h"

namespace jrec {

class Recording {
 public:
  // Of an archive, only the chunks are read that may hold something of the times that are chosen.
  explicit Recording(std::string path, TimeChoice times = {}) : path_(std::move(path)), times_(std::move(times)) {}
  // Of several files as one (joined_input.h); at least one.
  explicit Recording(const std::vector<std::string>& paths, TimeChoice times = {});
  // "a.jfr", or "a.jfr and 2 more"
  static std::string name_of(const std::vector<std::string>& paths);

  bool open();

  // visit(Chunk&); if it says false, no more are read.
  template <typename Visit>
  void each_chunk(Visit visit);

  // `read(chunk)` makes a part, and must not write to what it shares; `take(part)` may; if it says false, no more are
  // read. At most jobs() + 1 chunks and parts are there at a time.
  template <typename Read, typename Take>
  void each_part(Read read, Take take);

  // A reading in advance of the real one, or another one behind it: nothing is counted or noted, for the real one meets
  // the same. May be called within itself.
  template <typename Reading>
  void unsaid(Reading reading);
  bool says() const { return says_; }  // not within it

  // What can be opened by itself.
  static constexpr uint64_t kSmallPiece = 64 * 1024;  // is read in the time that a thread takes to begin
  struct Piece {
    size_t stretch = 0;
    Input::Outline outline;
    std::optional<jfr::read::ChunkExtent> extent;  // none: of a stretch that must be restored first
    bool last = false;                             // none comes behind it, where that is known
    bool small = false;                            // kSmallPiece at most
  };
  std::vector<Piece> pieces();

  // Any thread. With what can be read of it: nothing of a damaged part.
  base::Result<Stretch> read(const Piece& piece) { return input_->read(piece.stretch); }
  // The bytes of a chunk that was met before: none if they cannot be had again, which is noted.
  Stretch read(const jfr::read::ChunkExtent& extent);

  RecordingSpan span() const { return input_->span(); }
  uint64_t size() const { return input_->size(); }
  const TimeRange& range() const { return range_; }  // what was chosen
  // No moment of it, once its chunks were met. Of a recording that is still written nobody knows the end.
  bool chooses_nothing() const;
  size_t chunks() const { return chunks_; }
  const std::string& path() const { return path_; }
  std::string path_at(uint64_t offset) const;  // of the file that has that byte, where there are several
  jfr::read::Problems& problems() { return problems_; }
  const RecordedTwice& recorded_twice() const { return recorded_twice_; }  // of the chunks that were met

  // The user asked for what makes no sense: says so, and finish() will yield kUsageError.
  void refuse(const base::Error& error);
  bool refused() const { return refused_; }

  ExitCode finish() const;

 private:
  // The pieces one after the other. What lies between the chunks of a file is noted.
  class Pieces {
   public:
    Pieces(Input& input, jfr::read::Problems& problems);
    std::optional<Piece> next();

   private:
    Input& input_;
    Stretch file_;                                    // of an input that does not restore
    std::optional<jfr::read::ChunkScanner> scanner_;  // of the same
    size_t at_ = 0;
  };
  struct MetChunk {
    jfr::read::ChunkExtent extent;
    std::optional<WriterProcess> writer;
  };
  // What was met in a piece.
  struct Met {
    jfr::read::Problems between, inside;  // chunks
    std::vector<MetChunk> chunks;
    bool unfinished = false;  // the last of them
  };
  // What there is to read of a stretch: nothing of a copy. Of a damaged one, which is noted, what a copy has.
  struct Had {
    Stretch stretch;
    jfr::read::Problems problems;
  };
  Had have(size_t stretch);
  template <typename Visit>
  Met visit_piece(const Piece& piece, Visit visit);
  void note(const Piece& piece, const Met& met);
  void note(const MetChunk& met);
  bool alone() const { return input_->stretches() == 1; }

  void complain_of(const base::Error& problem, bool on_opening) const;
  void say(std::string what) const;
  void tell_times() const;  // where none of them is chosen

  std::string path_;
  std::vector<std::string> paths_;  // of several files
  TimeChoice times_;
  TimeRange range_;
  std::unique_ptr<Input> input_;
  ChunkCopies copies_;
  jfr::read::Problems problems_;
  size_t met_on_opening_ = 0;  // of those that are kept
  size_t chunks_ = 0;
  // Chunks of dumps that overlap are there several times: by start and size, where one was met first, and where others were.
  std::map<std::array<uint64_t, 3>, uint64_t> met_first_;
  std::set<uint64_t> met_again_;
  RecordedTwice recorded_twice_;
  bool after_unfinished_ = false;  // of the parts that were taken, the last had a chunk that is not finished
  bool any_unfinished_ = false;    // of the chunks that were met
  bool says_ = true;               // what is wrong with the chunks that it visits
  bool open_failed_ = false;
  bool damaged_ = false;        // what could not be opened, so that nobody knows what is missing
  bool server_failed_ = false;  // that it is on
  bool refused_ = false;
};

// Of what could not be opened: kNothingReadable where a server should have it and failed (remote_object.h), or else kUsageError.
ExitCode code_of_unopened(const base::Error& error);

// Writes `jrec: SUBJECT: at 0xOFFSET: what` to stderr; of an address, not who it lets in.
void complain(const std::string& subject, const base::Error& error);

// --- How the templates do it ---

// Calls it, and says true where it says nothing.
template <typename Call, typename... Arguments>
bool goes_on(Call& call, Arguments&&... arguments) {
  if constexpr (std::is_same_v<std::invoke_result_t<Call&, Arguments...>, bool>)
    return call(std::forward<Arguments>(arguments)...);
  else
    return call(std::forward<Arguments>(arguments)...), true;
}

template <typename Visit>
void Recording::each_chunk(Visit visit) {
  Progress progress(input_->size());
  jfr::read::ChunkScanner scanner(problems_);
  const auto visit_stretch = [&](const Had& had) {
    problems_.add(had.problems);
    scanner.go_on(had.stretch.bytes, had.stretch.offset, alone());
    while (const auto extent = scanner.next()) {
      const size_t so_far = problems_.count();
      jfr::read::Chunk chunk(had.stretch.bytes, *extent, problems_, had.stretch.offset);
      ++chunks_;
      note({*extent, writer_of(chunk)});
      if (!goes_on(visit, chunk)) return false;
      if (says_ && extent->whole && problems_.count() == so_far) note_flaws(chunk);
      input_->let_go(extent->offset, extent->size);
      progress.reached(extent->offset + extent->size);
    }
    return true;
  };
  if (!input_->restores()) return void(visit_stretch(have(0)));
  side_by_side(
      input_->stretches(), [this](size_t i) { return have(i); }, [&](size_t, Had&& had) { return visit_stretch(had); });
}

template <typename Read, typename Take>
void Recording::each_part(Read read, Take take) {
  using Part = std::invoke_result_t<Read&, jfr::read::Chunk&>;
  struct Made {
    std::vector<Part> parts;
    Met met;
  };
  Progress progress(input_->size());
  Pieces pieces(*input_, problems_);
  side_by_side_of([&] { return pieces.next(); },
                  [&](const Piece& piece) {
                    Made made;
                    made.met = visit_piece(piece, [&](jfr::read::Chunk& chunk) { made.parts.push_back(read(chunk)); });
                    return made;
                  },
                  [&](const Piece& piece, Made&& made) {
                    note(piece, made.met);
                    for (Part& part : made.parts)
                      if (!goes_on(take, std::move(part))) return false;
                    input_->let_go(piece.outline.offset, piece.outline.size);
                    progress.reached(piece.outline.offset + piece.outline.size);
                    return true;
                  });
}

template <typename Visit>
Recording::Met Recording::visit_piece(const Piece& piece, Visit visit) {
  Met met;
  const Had had = have(piece.stretch);
  const Stretch& stretch = had.stretch;
  met.inside.add(had.problems);
  const auto enter = [&](const jfr::read::ChunkExtent& extent) {
    const size_t so_far = met.inside.count();
    jfr::read::Chunk chunk(stretch.bytes, extent, met.inside, stretch.offset);
    met.chunks.push_back({extent, writer_of(chunk)});
    met.unfinished = extent.header.state != jfr::kStateFinished;
    visit(chunk);
    if (says_ && extent.whole && met.inside.count() == so_far) note_flaws(chunk);
  };
  if (piece.extent) return enter(*piece.extent), met;
  jfr::read::ChunkScanner scanner(met.between);
  scanner.go_on(stretch.bytes, stretch.offset, alone());
  while (const auto extent = scanner.next()) enter(*extent);
  return met;
}

template <typename Reading>
void Recording::unsaid(Reading reading) {
  const jfr::read::Problems so_far = problems_;
  const size_t chunks = chunks_;
  const bool after_unfinished = after_unfinished_;
  const bool is_outermost = says_;
  input_->read_again_later(true);
  says_ = false;
  reading();
  says_ = is_outermost;
  if (is_outermost) input_->read_again_later(false);
  problems_ = so_far;
  chunks_ = chunks;
  after_unfinished_ = after_unfinished;
}

}  // namespace jrec
