// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/disassemble.h"

#include <fmt/core.h>

#include <cassert>
#include <functional>
#include <optional>
#include <vector>

#include "base/units.h"
#include "jrec/base/escape.h"
#include "jrec/base/local_path.h"
#include "jrec/base/quiet.h"
#include "jrec/input/recording.h"
#include "recover/recovered_file.h"

namespace jrec {
namespace {

using base::Result;
using base::Status;
using jfr::read::Chunk;
using rec::RecoveredFile;

struct Piece {
  uint64_t at, size;  // in the recording
};

std::vector<Piece> pieces_of(Recording& recording, uint64_t max_chunks, uint64_t max_size) {
  std::vector<Piece> pieces;
  uint64_t chunks = 0;
  recording.each_chunk([&](const Chunk& chunk) {
    const uint64_t at = chunk.offset_in_file(), size = chunk.bytes().size();
    const bool follows = !pieces.empty() && pieces.back().at + pieces.back().size == at;
    const bool fits = max_size != 0 ? follows && pieces.back().size + size <= max_size : chunks < max_chunks;
    if (!follows || !fits) {
      pieces.push_back({at, 0});
      chunks = 0;
    }
    pieces.back().size += size;
    ++chunks;
  });
  return pieces;
}

std::string stem_of(const DisassembleOptions& options) {
  const std::string name = options.file == "-" ? "recording" : rec::name_of(last_name(options.file));
  for (const char* wrapping : {".gz", ".zst", ".lz4"})
    if (name.ends_with(std::string(".jfr") + wrapping))
      return name.substr(0, name.size() - 4 - std::string(wrapping).size());
  return name.ends_with(".jfr") ? name.substr(0, name.size() - 4) : name;
}

// Writes the chunks of a recording into the files of their pieces.
class Writer {
 public:
  using Told = std::function<void(const std::string& target)>;

  Writer(const std::vector<Piece>& pieces, const DisassembleOptions& options, Told written)
      : pieces_(pieces), options_(options), written_(std::move(written)) {}

  // In the order in which the pieces were made of them.
  Status add(const Chunk& chunk) {
    assert(next_ < pieces_.size() && "each chunk belongs to a piece");
    const Piece& piece = pieces_[next_];
    if (chunk.offset_in_file() == piece.at) {
      Result<RecoveredFile> file = RecoveredFile::create(target());
      if (!file) return file.error();
      file_.emplace(std::move(*file));
      in_the_making_.emplace(file_->temporary_path());
    }
    if (Status added = file_->add(chunk.bytes()); !added) return added;
    if (chunk.offset_in_file() + chunk.bytes().size() != piece.at + piece.size) return base::Done{};
    if (Status done = file_->commit(RecoveredFile::Replaces::kNothing); !done) return done;
    written_(target());
    ++next_;
    return base::Done{};
  }

  std::string target() const {
    const size_t digits = std::to_string(pieces_.size() - 1).size();
    return fmt::format("{}/{}_{:0{}}.jfr", options_.directory, stem_of(options_), next_, digits);
  }

 private:
  const std::vector<Piece>& pieces_;
  const DisassembleOptions& options_;
  const Told written_;
  size_t next_ = 0;  // the piece that is being written
  std::optional<RecoveredFile> file_;
  std::optional<InTheMaking> in_the_making_;
};

ExitCode usage(const std::string& subject, std::string what) {
  complain(subject, base::Error{base::ErrorCode::kUsage, 0, std::move(what)});
  return kUsageError;
}

}  // namespace

ExitCode run_disassemble(const DisassembleOptions& options, Output& out) {
  const std::optional<uint64_t> max_size = options.max_size.empty() ? 0 : base::parse_byte_size(options.max_size);
  if (!max_size || (*max_size == 0 && !options.max_size.empty()))
    return usage("--max-size", "is no size: " + options.max_size);
  if (options.max_chunks == 0) return usage("--max-chunks", "must be 1 at least");
  Recording recording(options.file);
  if (!recording.open()) return recording.finish();
  const std::vector<Piece> pieces = pieces_of(recording, options.max_chunks, *max_size);
  const ExitCode code = recording.finish();
  Writer writer(pieces, options, [&](const std::string& target) {
    if (!quiet()) out.add(plain(target) + "\n");
  });
  Status written = base::Done{};
  recording.unsaid([&] { recording.each_chunk([&](Chunk& chunk) { return (written = writer.add(chunk)).ok(); }); });
  if (!written) {
    complain(writer.target(), written.error());
    return written.error().code == base::ErrorCode::kUsage ? kUsageError : kOutputFailed;
  }
  return code;
}

}  // namespace jrec
