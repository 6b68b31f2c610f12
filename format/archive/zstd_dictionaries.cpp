// SPDX-License-Identifier: Apache-2.0
#include "format/archive/zstd_dictionaries.h"

#include <zstd.h>

#include <cstring>
#include <new>

namespace jfr::archive {
namespace {

// Bytes that begin like this zstd takes for a dictionary of its own kind, which a prefix never is.
bool looks_trained(std::span<const uint8_t> bytes) {
  constexpr uint8_t kTrained[] = {0x37, 0xa4, 0x30, 0xec};
  return bytes.size() >= sizeof kTrained && std::memcmp(bytes.data(), kTrained, sizeof kTrained) == 0;
}

// zstd 1.5.4 ends with a signal where it gets none for a dictionary: it takes less than that. Throws std::bad_alloc.
void need_memory(size_t bytes) {
  constexpr size_t kTables = 8u << 20, kForEachByte = 8;
  ::operator delete(::operator new(kTables + kForEachByte * bytes));
}

}  // namespace

void ZstdDictionaries::Free::operator()(ZSTD_CDict_s* dictionary) const { ZSTD_freeCDict(dictionary); }

const ZSTD_CDict_s* ZstdDictionaries::of(std::span<const uint8_t> bytes, int level) {
  if (looks_trained(bytes)) return nullptr;
  const Key key{bytes.data(), level};
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto known = made_.find(key); known != made_.end()) return known->second.get();
  }
  need_memory(bytes.size());
  std::unique_ptr<ZSTD_CDict_s, Free> made(ZSTD_createCDict(bytes.data(), bytes.size(), level));
  if (!made) throw std::bad_alloc();
  const std::lock_guard<std::mutex> lock(mutex_);
  return made_.try_emplace(key, std::move(made)).first->second.get();
}

}  // namespace jfr::archive
