// SPDX-License-Identifier: Apache-2.0
// BaseReader gives the blocks of chunks that others were packed with. The last few are kept. Any thread.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "format/archive/blocks.h"

namespace jrec {

using SharedBlocks = std::shared_ptr<const jfr::archive::Blocks>;

class BaseReader {
 public:
  // The blocks of the chunk whose piece begins there. Null when it is damaged, or has a base itself.
  SharedBlocks read(std::span<const uint8_t> archive, uint64_t at);

 private:
  static constexpr size_t kKept = 4;
  std::mutex mutex_;
  std::deque<std::pair<uint64_t, SharedBlocks>> kept_;
};

}  // namespace jrec
