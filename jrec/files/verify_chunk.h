// SPDX-License-Identifier: Apache-2.0
// ChunkCheck holds one chunk against the rules of the format, all of them, and against what real readers trip over.
//
//   damage       what any reader of the chunk loses something by: format/reader/chunk_flaws.h
//   warnings     what can be read, and is odd or makes the JDK's tools fail:
//     header       not finished, ticks that mean nothing, an order that is none
//     metadata     events that do not begin with startTime
//     checkpoints  empty pools, a key with two meanings
//     events       bytes behind the last field, times outside the chunk: an event ends in it. A sample of a thread that has
//                  stood ends its span later; what only says more of the event beside it has that one's time
//     references   constants that are named and not there; frames without a method, methods without a class
//
// PreviousChunk is what the next one is compared with: the JDK's reader takes metadata of the same id, and constants of
// the same type and key, from the chunk before.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "format/reader/checkpoint_walk.h"
#include "format/reader/chunk.h"
#include "format/reader/key_hash.h"
#include "jrec/files/constant_meaning.h"
#include "jrec/files/references.h"
#include "jrec/files/verify_report.h"

namespace jrec {

struct PreviousChunk {
  bool any = false;
  int64_t start_ns = 0;
  bool final_chunk = false;
  uint64_t metadata_id = 0;
  uint64_t metadata_hash = 0;
  std::unordered_map<uint64_t, uint64_t, jfr::read::KeyHash> constants;  // type and key -> meaning, as hashes
};

class ChunkCheck {
 public:
  ChunkCheck(jfr::read::Chunk& chunk, VerifyReport& report, PreviousChunk& previous);
  void run();

 private:
  // An event that ends in front of the chunk.
  struct Early {
    uint64_t at = 0;
    std::string_view type;
    int64_t ticks = 0, end_ns = 0;
  };

  void check_header();
  void check_type(const jfr::read::Type& type);
  void check_checkpoint(uint64_t at);
  void check_constant(const jfr::read::CheckpointWalk& walk);
  void check_events();
  void check_event(const jfr::read::Event& event, const jfr::read::Type& type);
  void check_times(const jfr::read::Event& event, const jfr::read::Type& type);
  int64_t length_of(const jfr::read::Event& event, const jfr::read::Type& type);
  void warn_early(const Early& event);
  void check_reference(const Reference& reference, const jfr::read::Type& holder, bool from_event);
  void remember();

  void tell_flaws();

  template <typename What>
  void warn(ProblemKind kind, uint64_t at, What what) {
    report_.add(Severity::kWarning, kind, chunk_.offset_in_file() + at, what);
  }

  jfr::read::Chunk& chunk_;
  const jfr::read::Metadata& metadata_;
  VerifyReport& report_;
  PreviousChunk& previous_;
  PreviousChunk now_;
  ConstantMeaning meaning_;
  uint32_t stack_type_, method_type_, class_type_;
  std::vector<uint64_t> checkpoints_;  // of the walk, ascending
  int64_t start_ns_ = 0, end_ns_ = 0;  // events lie between these
  std::optional<Early> announcing_;    // says more of the event that follows
  int64_t last_ticks_ = 0;             // start of the last event that says something itself
};

}  // namespace jrec
