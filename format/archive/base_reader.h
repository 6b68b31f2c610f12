// SPDX-License-Identifier: Apache-2.0
// BaseReader gives what others were packed with: the blocks of a chunk, and the lexicon that it makes. Those of the
// last few are kept. Any thread.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "format/archive/archive_bytes.h"
#include "format/archive/blocks.h"
#include "format/archive/lexicon.h"

namespace jfr::archive {

using SharedBlocks = std::shared_ptr<const Blocks>;
using SharedLexicon = std::shared_ptr<const Lexicon>;

// For who packs many chunks with one.
struct ReadyBase {
  SharedBlocks blocks;
  std::shared_ptr<ZstdDictionaries> dictionaries;  // of these blocks
};

class BaseReader {
 public:
  // Of the chunk whose piece begins there. Null when it is damaged, or has a base itself.
  SharedBlocks read(const ArchiveBytes& archive, uint64_t at) { return find(archive, at).ready.blocks; }
  ReadyBase ready(const ArchiveBytes& archive, uint64_t at) { return find(archive, at).ready; }
  // The same; null when it names nothing, too. metadata: where the piece begins that its columns are read by.
  SharedLexicon lexicon(const ArchiveBytes& archive, uint64_t at, uint64_t metadata);

 private:
  static constexpr size_t kKept = 4;
  struct Base {
    uint64_t at = 0, size = 0;  // bytes of the chunk
    ReadyBase ready;
    std::optional<SharedLexicon> lexicon;  // once it has been asked for
  };
  Base find(const ArchiveBytes& archive, uint64_t at);
  void keep(const Base& base);

  std::mutex mutex_;
  std::deque<Base> kept_;
};

}  // namespace jfr::archive
