// SPDX-License-Identifier: Apache-2.0
#include "format/archive/zstd_frame.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <new>

namespace jfr::archive {
namespace {

constexpr int kLeastWindowLog = 10, kMostWindowLog = 27;  // what readers take without being asked
constexpr size_t kSmall = 1u << 20;

// Reaches over prefix and content; zstd itself looks at the content alone.
int window_log(size_t bytes) {
  return std::clamp(static_cast<int>(std::bit_width(bytes)), kLeastWindowLog, kMostWindowLog);
}

// Room for small frames is had once a thread.
void compress(ZSTD_CCtx* context, std::span<const uint8_t> content, std::vector<uint8_t>& out) {
  static thread_local std::vector<uint8_t> small(kSmall);
  std::vector<uint8_t> large;
  const size_t most = ZSTD_compressBound(content.size());
  if (most > kSmall) large.resize(most);
  std::vector<uint8_t>& room = most > kSmall ? large : small;
  const size_t size = ZSTD_compress2(context, room.data(), room.size(), content.data(), content.size());
  if (ZSTD_isError(size)) throw std::bad_alloc();
  out.insert(out.end(), room.begin(), room.begin() + static_cast<ptrdiff_t>(size));
}

// Had once a thread.
ZSTD_CCtx* compressor() {
  static thread_local const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                                       ZSTD_freeCCtx);
  return context ? context.get() : throw std::bad_alloc();
}

ZSTD_DCtx* decompressor() {
  static thread_local const std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(),
                                                                                       ZSTD_freeDCtx);
  return context ? context.get() : throw std::bad_alloc();
}

}  // namespace

void append_zstd(std::span<const uint8_t> content, int level, std::span<const uint8_t> prefix,
                 std::vector<uint8_t>& out, const ZSTD_CDict_s* ready) {
  ZSTD_CCtx* const context = compressor();
  ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
  if (!prefix.empty()) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log(prefix.size() + content.size()));
    if (ready != nullptr)
      ZSTD_CCtx_refCDict(context, ready);
    else
      ZSTD_CCtx_refPrefix(context, prefix.data(), prefix.size());
  }
  compress(context, content, out);
}

bool take_zstd(std::span<const uint8_t> frame, uint64_t limit, std::span<const uint8_t> prefix,
               std::vector<uint8_t>& out) {
  ZSTD_DCtx* const context = decompressor();
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size > limit) return false;  // the two values for "unknown" and "error" are the largest of all
  ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
  if (!prefix.empty()) ZSTD_DCtx_refPrefix(context, prefix.data(), prefix.size());
  out.resize(size);
  return ZSTD_decompressDCtx(context, out.data(), out.size(), frame.data(), frame.size()) == size;
}

}  // namespace jfr::archive
