// SPDX-License-Identifier: Apache-2.0
// Recording is one input file of a command: it opens it, hands out its chunks, and tells of the damage at the end.
//
//   Recording recording(path);
//   if (!recording.open()) return recording.finish();
//   while (std::optional<Chunk> ...)  ->  recording.each_chunk([&](jfr::read::Chunk& chunk) { ... });
//   return recording.finish();
//
// finish() writes one line per problem to stderr, `jrec: FILE: at 0x1a40: what`, control characters escaped, and yields
// the exit code.
#pragma once

#include <optional>
#include <string>

#include "format/reader/chunk.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/mapped_file.h"
#include "format/reader/problems.h"
#include "jrec/exit_code.h"

namespace jrec {

class Recording {
 public:
  explicit Recording(std::string path) : path_(std::move(path)) {}

  bool open();

  template <typename Visit>
  void each_chunk(Visit visit) {
    jfr::read::ChunkScanner scanner(file_->bytes(), problems_);
    while (const auto extent = scanner.next()) {
      jfr::read::Chunk chunk(file_->bytes(), *extent, problems_);
      ++chunks_;
      visit(chunk);
    }
  }

  size_t chunks() const { return chunks_; }
  const std::string& path() const { return path_; }
  jfr::read::Problems& problems() { return problems_; }

  ExitCode finish() const;

 private:
  std::string path_;
  std::optional<jfr::read::MappedFile> file_;
  jfr::read::Problems problems_;
  size_t chunks_ = 0;
  bool open_failed_ = false;
};

// Writes `jrec: SUBJECT: at 0xOFFSET: what` to stderr.
void complain(const std::string& subject, const jfr::Error& error);

}  // namespace jrec
