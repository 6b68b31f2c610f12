// SPDX-License-Identifier: Apache-2.0
// ZstdDictionaries are bytes that many frames refer to, made ready once: to sort them anew for each frame takes zstd
// longer than to pack it. Whoever unpacks such a frame has the bytes as its prefix (zstd_frame.h). Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

struct ZSTD_CDict_s;  // zstd's own name

namespace jfr::archive {

class ZstdDictionaries {
 public:
  // Of bytes that outlive this. nullptr: they can be a prefix only. Throws std::bad_alloc.
  const ZSTD_CDict_s* of(std::span<const uint8_t> bytes, int level);

 private:
  struct Free {
    void operator()(ZSTD_CDict_s* dictionary) const;
  };
  using Key = std::pair<const uint8_t*, int>;  // where the bytes are, level

  std::mutex mutex_;
  std::map<Key, std::unique_ptr<ZSTD_CDict_s, Free>> made_;
};

}  // namespace jfr::archive
