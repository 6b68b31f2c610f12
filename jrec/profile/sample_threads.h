// SPDX-License-Identifier: Apache-2.0
// SampleThreads names the threads of one chunk's samples out of its java.lang.Thread constants.
#pragma once

#include <cstdint>
#include <string>

#include "format/reader/chunk.h"

namespace jrec {

struct SampleThread {
  std::string name;  // "[unknown]" when the recording has no constant for it, "[tid=7]" when that has no name
  int64_t os_id = 0;
  int64_t java_id = 0;

  int64_t id() const { return os_id != 0 ? os_id : java_id; }
  auto operator<=>(const SampleThread&) const = default;
};

// The thread behind a constant of that type.
SampleThread read_thread(jfr::read::Chunk& chunk, uint32_t type, uint64_t key);

}  // namespace jrec
