// SPDX-License-Identifier: Apache-2.0
// A recording of version 0.9, chunk by chunk, as one of version 2. Memory holds one chunk and what becomes of it.
//
//   file:  [0.9][0.9] damage [0.9][2.x][half a chunk
//           yield yield note yield copy  note
//
// The old header has no size: a chunk ends with its metadata. Where that cannot be found the next header is looked for.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/result.h"
#include "format/reader/problems.h"

namespace jfr::old {

// Whether the file begins with a chunk of version 0.9, or with damage and the first chunk in it is such a one.
bool is_old_recording(std::span<const uint8_t> file);

// Takes the new recording.
struct Translated {
  std::function<base::Status(std::span<const uint8_t> bytes)> write;  // the next piece of it
  std::function<void(uint64_t offset, uint64_t size)> let_go = [](uint64_t, uint64_t) {
  };  // this of the old one is read
};

// Until `write` fails. What cannot be read is noted, with its offset in the old recording.
base::Status translate_recording(std::span<const uint8_t> file, read::Problems& problems, const Translated& to);

}  // namespace jfr::old
