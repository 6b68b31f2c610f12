// SPDX-License-Identifier: Apache-2.0
#include "jrec/symbols/mini_debug_info.h"

#include <lzma.h>

#include <algorithm>

namespace jrec {
namespace {

constexpr uint64_t kMostPacked = 64u << 20;
constexpr uint64_t kMostUnpacked = 256u << 20;
constexpr uint64_t kMostMemory = 128u << 20;  // of the decoder: that of xz -9 needs 65 MB
constexpr size_t kAtOnce = 1u << 20;

// Unpacks all of it, or says false: then `from` has come as far as it is whole.
bool unpack(lzma_stream& from, std::vector<uint8_t>& to) {
  if (lzma_stream_decoder(&from, kMostMemory, 0) != LZMA_OK) return false;
  lzma_ret done = LZMA_OK;
  while (done == LZMA_OK && to.size() < kMostUnpacked) {
    const size_t size = to.size();
    to.resize(size + kAtOnce);
    from.next_out = to.data() + size;
    from.avail_out = kAtOnce;
    done = lzma_code(&from, LZMA_FINISH);
    to.resize(to.size() - from.avail_out);
  }
  return done == LZMA_STREAM_END;
}

}  // namespace

base::Result<std::vector<uint8_t>> mini_debug_info(const rec::ElfSymbols& of) {
  const base::Result<rec::ElfSymbols::Section> packed = of.section(".gnu_debugdata", kMostPacked);
  if (!packed) return packed.error();
  std::vector<uint8_t> unpacked;
  if (packed->bytes.empty()) return unpacked;
  lzma_stream stream = LZMA_STREAM_INIT;
  stream.next_in = packed->bytes.data();
  stream.avail_in = packed->bytes.size();
  const bool whole = unpack(stream, unpacked);
  const uint64_t at = packed->at + stream.total_in;
  lzma_end(&stream);
  if (!whole) return base::corrupt(at, ".gnu_debugdata cannot be unpacked");
  return unpacked;
}

}  // namespace jrec
