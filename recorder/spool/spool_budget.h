// SPDX-License-Identifier: Apache-2.0
// SpoolBudget is how much of a file system the spools of one recording may take, all of them together: half of what was
// free at the start, so that a container's small /dev/shm is left to others too. Recorder thread only.
#pragma once

#include <algorithm>
#include <cstdint>

namespace rec {

class SpoolBudget {
 public:
  explicit SpoolBudget(uint64_t bytes = UINT64_MAX) : bytes_(bytes) {}
  uint64_t left() const { return bytes_ - std::min(bytes_, used_); }
  void take(uint64_t bytes) { used_ += bytes; }
  void give_back(uint64_t bytes) { used_ -= std::min(used_, bytes); }

 private:
  uint64_t bytes_;
  uint64_t used_ = 0;
};

}  // namespace rec
