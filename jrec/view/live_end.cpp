// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/live_end.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <vector>

#include "base/descriptor.h"
#include "base/file_io.h"
#include "format/header_layout.h"
#include "jrec/input/recording.h"

namespace jrec {

bool is_over(const std::string& path) {
  constexpr std::chrono::seconds kQuiet{10};
  std::error_code error;
  const auto written = std::filesystem::last_write_time(path, error);
  if (error || !std::filesystem::is_regular_file(path, error)) return false;
  if (std::filesystem::file_time_type::clock::now() - written < kQuiet) return false;
  if (std::filesystem::file_size(path, error) < jfr::kHeaderSize) return true;
  Recording recording(path);
  if (!recording.open()) return false;
  const std::vector<Recording::Piece> pieces = recording.pieces();
  return std::ranges::all_of(pieces, [](const Recording::Piece& piece) {
    return piece.extent && piece.extent->header.state == jfr::kStateFinished;
  });
}

ExitCode damage_in(const std::string& path, bool over) {
  std::error_code error;
  Recording recording(path);
  if (!std::filesystem::is_regular_file(path, error)) return kDone;
  if (!recording.open()) return over ? recording.finish() : kDone;
  bool all_finished = true, any_cut = false;
  recording.each_chunk([&](const jfr::read::Chunk& chunk) {
    const bool finished = chunk.header().state == jfr::kStateFinished;
    all_finished &= finished;
    any_cut |= finished && !chunk.whole();
  });
  return over || all_finished || any_cut ? recording.finish() : kDone;
}

bool begins_as_none(const std::string& path) {
  const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::array<uint8_t, jfr::kChunkMagic.size()> head{};
  return file && base::read_all_at(file.fd(), head.data(), head.size(), 0) &&
         !std::ranges::equal(head, jfr::kChunkMagic);
}

}  // namespace jrec
