// SPDX-License-Identifier: Apache-2.0
// NameCheck finds what no tool of the JDK gets over in a chunk whose events and constants can all be decoded: types that
// are declared by halves, frames without a method, methods without a class. Damage can do that without a trace in the
// encoding. Nothing of it can be repaired; it is said.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/reader/constant_pools.h"
#include "format/reader/metadata.h"

namespace rec {

class NameCheck {
 public:
  // pools: of the whole chunk.
  NameCheck(std::span<const uint8_t> chunk, const jfr::read::Metadata& metadata, jfr::read::ConstantPools& pools)
      : chunk_(chunk), metadata_(metadata), pools_(pools) {}

  // Offsets in the chunk. metadata_at: of the metadata.
  std::vector<base::Error> run(uint64_t metadata_at);

 private:
  void check_types(uint64_t metadata_at);
  void check_constants(const char* holder, const char* wanted, const char* what);
  bool names_all(jfr::read::Cursor& in, const jfr::read::Type& type, uint32_t wanted);
  bool names(jfr::read::Cursor& in, const jfr::read::Field& field, uint32_t wanted);

  std::span<const uint8_t> chunk_;
  const jfr::read::Metadata& metadata_;
  jfr::read::ConstantPools& pools_;
  std::vector<base::Error> found_;
};

}  // namespace rec
