// SPDX-License-Identifier: Apache-2.0
// KeyHash spreads the keys of constants over a table. The keys come from a file, and a hostile file would choose them
// to collide: so every process has a seed of its own.
#pragma once

#include <cstddef>
#include <cstdint>

namespace jfr::read {

uint64_t key_hash_seed();

inline uint64_t hash_key(uint64_t key, uint64_t seed) {
  key ^= seed;
  key = (key ^ key >> 33) * 0xff51afd7ed558ccd;
  key = (key ^ key >> 33) * 0xc4ceb9fe1a85ec53;
  return key ^ key >> 33;
}

struct KeyHash {
  size_t operator()(uint64_t key) const { return hash_key(key, seed); }
  uint64_t seed = key_hash_seed();
};

}  // namespace jfr::read
