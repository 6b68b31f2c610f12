// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: whatever pretends to be a recording of version 0.9, it is refused or becomes one of version 2 in
// which the reader finds no fault, of a size in proportion.   fuzz_old -max_len=300000 CORPUS SEEDS
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "format/old/recording_translation.h"
#include "format/reader/chunk.h"
#include "format/reader/chunk_flaws.h"
#include "format/reader/chunk_scanner.h"

namespace {

using namespace jfr::read;

constexpr size_t kMostGrowth = 32;
constexpr size_t kMostBesides = 32u << 20;  // the metadata of many types that share a structure

// A chunk of today in the input comes out as it went in, with its faults.
bool holds_only_old(std::span<const uint8_t> file) {
  Problems unsaid;
  return !ChunkScanner(file, unsaid).next().has_value();
}

void must_be_whole(std::span<const uint8_t> made) {
  Problems problems;
  ChunkScanner scanner(made, problems);
  while (const auto extent = scanner.next()) {
    Chunk chunk(made, *extent, problems);
    chunk.constants();
    note_flaws(chunk);
  }
  if (!problems.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const uint8_t> file(data, size);
  if (!jfr::old::is_old_recording(file)) return 0;
  Problems problems;
  std::vector<uint8_t> made;
  const auto write = [&](std::span<const uint8_t> bytes) {
    made.insert(made.end(), bytes.begin(), bytes.end());
    return base::Status(base::Done{});
  };
  if (!jfr::old::translate_recording(file, problems, {write})) std::abort();
  for (const base::Error& problem : problems.kept())
    if (problem.offset > size) std::abort();
  if (made.size() > kMostGrowth * size + kMostBesides) std::abort();
  if (holds_only_old(file)) must_be_whole(made);
  return 0;
}
