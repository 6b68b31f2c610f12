// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/disassemble.h"

#include <fmt/core.h>

#include <optional>
#include <vector>

#include "jrec/base/byte_size.h"
#include "jrec/base/escape.h"
#include "jrec/input/recording.h"
#include "recover/recover_file.h"

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
  const std::string name = options.file == "-" ? "recording" : rec::name_of(options.file);
  for (const char* wrapping : {".gz", ".zst", ".lz4"})
    if (name.ends_with(std::string(".jfr") + wrapping))
      return name.substr(0, name.size() - 4 - std::string(wrapping).size());
  return name.ends_with(".jfr") ? name.substr(0, name.size() - 4) : name;
}

Status write_piece(const std::string& target, std::span<const uint8_t> bytes) {
  Result<RecoveredFile> file = RecoveredFile::create(target);
  if (!file) return file.error();
  if (Status added = file->add(bytes); !added) return added;
  return file->commit(RecoveredFile::Replaces::kNothing);
}

ExitCode usage(const std::string& subject, std::string what) {
  complain(subject, base::Error{base::ErrorCode::kUsage, 0, std::move(what)});
  return kUsageError;
}

}  // namespace

ExitCode run_disassemble(const DisassembleOptions& options, Output& out) {
  const std::optional<uint64_t> max_size = options.max_size.empty() ? 0 : parse_byte_size(options.max_size);
  if (!max_size || (*max_size == 0 && !options.max_size.empty()))
    return usage("--max-size", "is no size: " + options.max_size);
  if (options.max_chunks == 0) return usage("--max-chunks", "must be 1 at least");
  Recording recording(options.file);
  if (!recording.open()) return recording.finish();
  const std::vector<Piece> pieces = pieces_of(recording, options.max_chunks, *max_size);
  const ExitCode code = recording.finish();
  const size_t digits = std::to_string(pieces.size() - (pieces.empty() ? 0 : 1)).size();
  for (size_t i = 0; i < pieces.size(); ++i) {
    const std::string target = fmt::format("{}/{}_{:0{}}.jfr", options.directory, stem_of(options), i, digits);
    const auto bytes = recording.bytes().subspan(pieces[i].at, pieces[i].size);
    if (const Status written = write_piece(target, bytes); !written) {
      complain(target, written.error());
      return written.error().code == base::ErrorCode::kUsage ? kUsageError : kOutputFailed;
    }
    if (!options.quiet) out.add(plain(target) + "\n");
  }
  return code;
}

}  // namespace jrec
