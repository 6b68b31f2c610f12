// SPDX-License-Identifier: Apache-2.0
// BaseReader gives what others were packed with: the blocks of their bases (member.h), and the lexicon that these make.
// Those of the last few are kept. Any thread.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "format/archive/archive_bytes.h"
#include "format/archive/blocks.h"
#include "format/archive/lexicon.h"
#include "format/archive/member.h"

namespace jfr::archive {

using SharedBlocks = std::shared_ptr<const Blocks>;
using SharedLexicon = std::shared_ptr<const Lexicon>;

// For who packs many chunks with the same.
struct ReadyBase {
  SharedBlocks blocks;                             // of all bases, one behind the other
  std::shared_ptr<ZstdDictionaries> dictionaries;  // of these blocks
};

class BaseReader {
 public:
  // No blocks: there are no bases, or one is damaged, or is packed with others than those before it.
  ReadyBase ready(const ArchiveBytes& archive, std::span<const BaseChunk> bases);
  // What the stacks of a chunk that is packed with these have taught, as it was decoded just now: it may be a base.
  void keep_learned(uint64_t chunk, const Bases& bases, LearnedStacks stacks);
  // The same; null when they name nothing, too.
  SharedLexicon lexicon(const ArchiveBytes& archive, std::span<const BaseChunk> bases);

 private:
  static constexpr size_t kKept = 2 * kMostBases, kLearnedKept = 2;
  struct Learned {
    uint64_t chunk = 0;
    Bases bases;  // that it is packed with
    std::shared_ptr<const LearnedStacks> stacks;
  };
  struct Base {
    Bases bases;
    uint64_t size = 0;  // bytes of the last one's chunk
    SharedBlocks own;   // of the last one
    ReadyBase ready;
    std::optional<SharedLexicon> lexicon;  // once it has been asked for
  };
  Base find(const ArchiveBytes& archive, std::span<const BaseChunk> bases);
  std::optional<Base> kept(std::span<const BaseChunk> bases);
  void keep(const Base& base);
  std::shared_ptr<const LearnedStacks> learned(std::span<const BaseChunk> bases);  // by the last one; null: not kept

  std::mutex mutex_;
  std::deque<Base> kept_;
  std::deque<Learned> learned_;
};

}  // namespace jfr::archive
