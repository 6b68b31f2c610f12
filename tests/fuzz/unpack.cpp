// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: whatever pretends to be gzip, zstd or lz4, unpacking must neither crash nor stand still, and never
// claim to have taken or made more than there was.   fuzz_unpack -max_len=20000 CORPUS
//
// The first byte is the size of the pieces that the input comes in.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "jrec/input/unpack.h"

namespace {

using jrec::Unpacker;
using jrec::Wrapping;

constexpr size_t kEnough = size_t{4} << 20;  // a bomb only costs time

void must(bool holds) {
  if (!holds) std::abort();
}

void unpack(Unpacker& unpacker, std::span<const uint8_t> in, size_t piece) {
  std::vector<uint8_t> out(4096);
  size_t made = 0;
  while (made < kEnough) {
    const auto next = in.first(std::min(piece, in.size()));
    const Unpacker::Step step = unpacker.step(next, out);
    must(step.taken <= next.size() && step.made <= out.size());
    if (!step.why.empty()) return;
    made += step.made;
    in = in.subspan(step.taken);
    // With input left and nothing taken it must have made something, or want a larger piece.
    if (step.taken == 0 && step.made == 0) {
      if (in.size() <= piece) break;
      piece *= 2;
    }
  }
  (void)unpacker.complete();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::span<const uint8_t> in(data + 1, size - 1);
  const size_t piece = size_t{1} + data[0];
  const Wrapping said = jrec::wrapping_of(in);
  if (said != Wrapping::kNone) unpack(*Unpacker::of(said), in, piece);
  return 0;
}
