// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/recorded_twice.h"

#include <algorithm>
#include <map>
#include <optional>

#include "format/reader/chunk.h"
#include "jrec/values/jvm_numbers.h"

namespace jrec {
namespace {

struct Writer {
  WriterProcess process;
  size_t file = 0;
  auto operator<=>(const Writer&) const = default;
};
struct Times {
  int64_t from_ns = 0, to_ns = 0;
};
struct Told {
  Writer by;
  Times times;  // of the chunk
};
using Writers = std::map<Writer, Times>;

// Nothing: the chunk does not tell, or cannot be read.
std::optional<Told> read_writer(const Stretch& stretch, const Input::Outline& outline) {
  const auto header = jfr::read::parse_chunk_header(stretch.bytes, 0);
  if (!header) return std::nullopt;
  jfr::read::Problems unsaid;  // whoever reads the chunk meets the same
  jfr::read::Chunk chunk(stretch.bytes, {stretch.offset, stretch.bytes.size(), *header}, unsaid, stretch.offset);
  const std::optional<WriterProcess> process = writer_of(chunk);
  if (!process) return std::nullopt;
  return Told{{*process, outline.file}, {header->start_ns, header->end_ns()}};
}

Writers writers_of(Input& input, const ChunkCopies& copies) {
  Writers writers;
  for (size_t i = 0; i < input.stretches(); ++i) {
    const Input::Outline outline = input.outline(i);
    if (!outline.is_chunk || !outline.mapped || copies.is_copy(i)) continue;
    const auto stretch = input.read(i);
    const std::optional<Told> writer = stretch ? read_writer(*stretch, outline) : std::nullopt;
    input.let_go(outline.offset, outline.size);
    if (!writer) continue;
    Times& all = writers.try_emplace(writer->by, writer->times).first->second;
    all = {std::min(all.from_ns, writer->times.from_ns), std::max(all.to_ns, writer->times.to_ns)};
  }
  return writers;
}

}  // namespace

bool is_recorded_twice(Input& input, const ChunkCopies& copies) {
  const size_t all = input.stretches();
  if (all == 0 || input.outline(all - 1).file == 0) return false;
  const Writers writers = writers_of(input, copies);
  for (const auto& [one, its] : writers)
    for (const auto& [other, others] : writers)
      if (one.file != other.file && are_of_one_jvm(one.process, other.process) && its.from_ns < others.to_ns &&
          others.from_ns < its.to_ns)
        return true;
  return false;
}

}  // namespace jrec
