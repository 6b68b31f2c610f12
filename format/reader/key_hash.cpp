// SPDX-License-Identifier: Apache-2.0
#include "format/reader/key_hash.h"

#include <random>

namespace jfr::read {

uint64_t key_hash_seed() {
  static const uint64_t kSeed = [] {
    std::random_device device;
    return uint64_t{device()} << 32 | device();
  }();
  return kSeed;
}

}  // namespace jfr::read
