// SPDX-License-Identifier: Apache-2.0
// Recording is one input file of a command: it opens it, hands out its chunks, and tells of the damage at the end.
//
//   Recording recording(path);
//   if (!recording.open()) return recording.finish();
//   recording.each_chunk([&](jfr::read::Chunk& chunk) { ... });
//   return recording.finish();
//
//   each_chunk   one after the other
//   each_part    side by side, on several threads:   chunk --read--> part      any thread, any order
//                                                    part  --take-->           the caller's, in the order of the file
//
// A chunk that has been read lets its pages go: memory is bounded by chunks, and not by the file.
//
// finish() writes one line per problem to stderr, `jrec: FILE: at 0x1a40: what`, control characters escaped, and yields
// the exit code.
#pragma once

#include <deque>
#include <future>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "format/reader/chunk.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/mapped_file.h"
#include "format/reader/problems.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/progress.h"
#include "jrec/input/jobs.h"
#include "jrec/input/recording_span.h"

namespace jrec {

class Recording {
 public:
  // Of an archive, only the chunks are read that may hold something of the times that are chosen.
  explicit Recording(std::string path, TimeChoice times = {}) : path_(std::move(path)), times_(std::move(times)) {}

  bool open();

  template <typename Visit>
  void each_chunk(Visit visit) {
    Progress progress(file_->bytes().size());
    jfr::read::ChunkScanner scanner(file_->bytes(), problems_);
    while (const auto extent = scanner.next()) {
      jfr::read::Chunk chunk(file_->bytes(), *extent, problems_);
      ++chunks_;
      visit(chunk);
      file_->let_go(extent->offset, extent->size);
      progress.reached(extent->offset + extent->size);
    }
  }

  // `read(chunk)` makes a part, and must not write to what it shares; `take(part)` may. At most jobs() + 1 parts are
  // there at a time.
  template <typename Read, typename Take>
  void each_part(Read read, Take take) {
    using Part = std::invoke_result_t<Read&, jfr::read::Chunk&>;
    struct Reading {
      jfr::read::ChunkExtent extent;
      std::future<std::pair<Part, jfr::read::Problems>> result;
    };
    std::deque<Reading> under_way;
    Progress progress(file_->bytes().size());
    const auto take_first = [&] {
      auto [part, problems] = under_way.front().result.get();
      const jfr::read::ChunkExtent extent = under_way.front().extent;
      under_way.pop_front();
      problems_.add(problems);
      ++chunks_;
      take(std::move(part));
      file_->let_go(extent.offset, extent.size);
      progress.reached(extent.offset + extent.size);
    };
    jfr::read::ChunkScanner scanner(file_->bytes(), problems_);
    while (const auto extent = scanner.next()) {
      const bool alone = jobs() == 1 || (under_way.empty() && extent->offset + extent->size >= file_->bytes().size());
      if (under_way.size() > jobs() || (alone && !under_way.empty())) take_first();
      const auto read_one = [this, &read, at = *extent] {
        jfr::read::Problems problems;
        jfr::read::Chunk chunk(file_->bytes(), at, problems);
        Part part = read(chunk);
        return std::pair<Part, jfr::read::Problems>(std::move(part), std::move(problems));
      };
      under_way.push_back({*extent, std::async(alone ? std::launch::deferred : std::launch::async, read_one)});
    }
    while (!under_way.empty()) take_first();
  }

  // A reading in advance of the real one: nothing is counted or noted, for that will meet the same again.
  template <typename Read, typename Take>
  void survey(Read read, Take take) {
    const jfr::read::Problems so_far = problems_;
    each_part(std::move(read), std::move(take));
    problems_ = so_far;
    chunks_ = 0;
  }

  std::span<const uint8_t> bytes() const { return file_->bytes(); }  // once it is open
  const TimeRange& range() const { return range_; }                  // what was chosen
  size_t chunks() const { return chunks_; }
  const std::string& path() const { return path_; }
  jfr::read::Problems& problems() { return problems_; }

  // The user asked for what makes no sense: says so, and finish() will yield kUsageError.
  void refuse(const base::Error& error);
  bool refused() const { return refused_; }

  ExitCode finish() const;

 private:
  std::string path_;
  TimeChoice times_;
  TimeRange range_;
  std::optional<jfr::read::MappedFile> file_;
  jfr::read::Problems problems_;
  size_t chunks_ = 0;
  bool open_failed_ = false;
  bool refused_ = false;
};

// Writes `jrec: SUBJECT: at 0xOFFSET: what` to stderr.
void complain(const std::string& subject, const base::Error& error);

}  // namespace jrec
