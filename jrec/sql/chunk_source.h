// SPDX-License-Identifier: Apache-2.0
// ChunkSource is what a query reads: recordings, members of archives, and the chunks of all, each of which can be
// opened by itself. Headers tell when a chunk is, so that those of another time are never read.
//
//   ChunkSource source;
//   source.add("app.jfr"); source.add("year.recz");
//   for (size_t i = 0; i < source.chunks().size(); ++i) if (auto open = source.open(i)) read(open->chunk());
//   return source.finish();
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/archive/archive_file.h"
#include "jrec/base/exit_code.h"
#include "jrec/input/recording.h"

namespace jrec {

struct SqlRecording {
  std::string file, name;           // where it is; its member's or file's name
  std::vector<std::string> labels;  // "service=shop"
  int64_t start_ns = 0, end_ns = 0;
  uint64_t bytes = 0, chunks = 0;

  std::string label(std::string_view key) const;  // empty: none
};

struct SqlChunk {
  uint32_t recording = 0;  // place in recordings()
  int64_t start_ns = 0, end_ns = INT64_MAX;
  // No event starts before or after. An event that takes long is in the chunk that it ends in, so of a recording nobody
  // knows the first; archives do.
  int64_t first_ns = INT64_MIN, last_ns = INT64_MAX;
  std::span<const jfr::archive::FarStarts> far;  // but for these
};

class OpenChunk {
 public:
  OpenChunk(Stretch stretch, const jfr::read::ChunkExtent& extent);

  jfr::read::Chunk& chunk() { return chunk_; }
  const jfr::read::Problems& problems() const { return problems_; }

 private:
  const Stretch stretch_;  // that the chunk is in
  jfr::read::Problems problems_;
  jfr::read::Chunk chunk_;
};

class ChunkSource {
 public:
  // A recording, an archive, or ARCHIVE:MEMBER. False: finish() says why.
  bool add(const std::string& path);

  const std::vector<SqlRecording>& recordings() const { return recordings_; }
  const std::vector<SqlChunk>& chunks() const { return chunks_; }

  // Any thread. Null when nothing of it can be read, which is told at the end.
  std::unique_ptr<OpenChunk> open(size_t chunk);
  // Any thread. Its damage is told, once for each chunk, and also what the reading did not meet.
  void close(size_t chunk, OpenChunk& open);

  // What tells the recording from all others: XXH3 of its bytes, as archives keep it.
  jfr::archive::ContentHash hash(uint32_t recording);
  bool damaged(uint32_t recording) const;  // as far as was read

  // The types of all chunks; the same metadata at least once. Of archives nothing else is read.
  void each_metadata(const std::function<void(const jfr::read::Metadata&)>& visit);

  ExitCode finish();

 private:
  struct Place {
    Recording* file = nullptr;  // and where in it
    Recording::Piece piece;
    ArchiveFile* archive = nullptr;  // or in which part of an archive
    const jfr::archive::Part* part = nullptr;
  };
  // Where a recording is: a file and what it consists of, or the member of an archive.
  struct Origin {
    Recording* file = nullptr;
    std::vector<Recording::Piece> stretches;
    const jfr::archive::Member* member = nullptr;
  };
  static base::Result<Stretch> read(const Place& place);
  std::unique_ptr<OpenChunk> meet(std::unique_ptr<OpenChunk> open);
  bool add_archive(const std::string& path);
  void add_recording(Recording& recording);
  void note(size_t chunk, const base::Error& error);
  void search_the_rest();

  std::vector<std::string> paths_;  // as they were added
  std::deque<Recording> files_;
  std::deque<ArchiveFile> archives_;
  std::vector<SqlRecording> recordings_;
  std::vector<SqlChunk> chunks_;
  std::vector<Place> places_;
  std::vector<Origin> origins_;       // of recordings_
  std::mutex mutex_;                  // over the next three
  std::set<size_t> told_, searched_;  // chunks
  RecordedTwice recorded_twice_;      // by those that were opened
  ExitCode worst_ = kDone;
};

}  // namespace jrec
