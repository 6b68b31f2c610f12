// SPDX-License-Identifier: Apache-2.0
#include "format/archive/zstd_frame.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <memory>

namespace jfr::archive {
namespace {

constexpr int kLeastWindowLog = 10, kMostWindowLog = 27;  // what readers take without being asked
constexpr size_t kSmall = 1u << 20;

// Reaches over prefix and content; zstd itself looks at the content alone.
int window_log(size_t bytes) {
  return std::clamp(static_cast<int>(std::bit_width(bytes)), kLeastWindowLog, kMostWindowLog);
}

// Room for small frames is had once a thread.
bool compress(ZSTD_CCtx* context, std::span<const uint8_t> content, std::vector<uint8_t>& out) {
  static thread_local std::vector<uint8_t> small(kSmall);
  std::vector<uint8_t> large;
  const size_t most = ZSTD_compressBound(content.size());
  if (most > kSmall) large.resize(most);
  std::vector<uint8_t>& room = most > kSmall ? large : small;
  const size_t size = ZSTD_compress2(context, room.data(), room.size(), content.data(), content.size());
  if (ZSTD_isError(size)) return false;
  out.insert(out.end(), room.begin(), room.begin() + static_cast<ptrdiff_t>(size));
  return true;
}

}  // namespace

bool append_zstd(std::span<const uint8_t> content, int level, std::span<const uint8_t> prefix,
                 std::vector<uint8_t>& out, const ZSTD_CDict_s* ready) {
  static thread_local const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                                       ZSTD_freeCCtx);
  ZSTD_CCtx_reset(context.get(), ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  if (!prefix.empty()) {
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, window_log(prefix.size() + content.size()));
    if (ready != nullptr)
      ZSTD_CCtx_refCDict(context.get(), ready);
    else
      ZSTD_CCtx_refPrefix(context.get(), prefix.data(), prefix.size());
  }
  return compress(context.get(), content, out);
}

bool take_zstd(std::span<const uint8_t> frame, uint64_t limit, std::span<const uint8_t> prefix,
               std::vector<uint8_t>& out) {
  static thread_local const std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(),
                                                                                       ZSTD_freeDCtx);
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size > limit) return false;  // the two values for "unknown" and "error" are the largest of all
  ZSTD_DCtx_reset(context.get(), ZSTD_reset_session_only);
  if (!prefix.empty()) ZSTD_DCtx_refPrefix(context.get(), prefix.data(), prefix.size());
  out.resize(size);
  return ZSTD_decompressDCtx(context.get(), out.data(), out.size(), frame.data(), frame.size()) == size;
}

}  // namespace jfr::archive
