// SPDX-License-Identifier: Apache-2.0
// How a recording stands, as of the last flush.
#pragma once

#include <cstdint>
#include <string>

namespace rec {

struct EngineStatus {
  uint64_t samples = 0;    // written or committed so far
  uint64_t lost = 0;       // samples, all causes
  uint64_t chunks = 0;     // that the recording consists of now, the open one too
  uint64_t bytes = 0;      // of their content
  std::string repository;  // where they are
  std::string recording;   // the file that it was last written to; empty: none yet
  std::string trouble;     // what keeps the recorder from writing right now; empty: nothing
};

}  // namespace rec
