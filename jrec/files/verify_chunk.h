// SPDX-License-Identifier: Apache-2.0
// ChunkCheck holds one chunk against the rules of the format, all of them, and against what real readers trip over.
//
//   header       finished, offsets inside the chunk, times that make sense
//   metadata     every type declared once, every field's type declared, events begin with startTime
//   checkpoints  one chain over all of them, pools not empty, contents that fill them exactly, one meaning for a key
//   events       declared, fields that fill them, times inside the chunk
//   references   every constant that is named is there; each frame of a stack has a method, each method a class
//
// PreviousChunk is what the next one is compared with: the JDK's reader takes metadata of the same id, and constants of
// the same type and key, from the chunk before.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "format/reader/chunk.h"
#include "format/reader/key_hash.h"
#include "jrec/files/checkpoint_walk.h"
#include "jrec/files/references.h"
#include "jrec/files/verify_report.h"

namespace jrec {

struct PreviousChunk {
  bool any = false;
  int64_t start_ns = 0;
  bool final_chunk = false;
  uint64_t metadata_id = 0;
  uint64_t metadata_hash = 0;
  std::unordered_map<uint64_t, uint64_t, jfr::read::KeyHash> constants;  // type and key -> content, as hashes
};

class ChunkCheck {
 public:
  ChunkCheck(jfr::read::Chunk& chunk, VerifyReport& report, PreviousChunk& previous);
  void run();

 private:
  void check_header();
  void check_metadata();
  void check_type(const jfr::read::Type& type);
  void check_chain();
  void check_checkpoint(uint64_t at);
  void check_constant(const CheckpointWalk& walk);
  void check_events();
  void check_event(const jfr::read::Event& event, const jfr::read::Type& type);
  void check_times(const jfr::read::Event& event, const jfr::read::Type& type);
  void check_reference(const Reference& reference, const jfr::read::Type& holder, bool from_event);
  void remember();

  template <typename What>
  void damage(ProblemKind trouble, uint64_t at, What what) {
    report_.add(Severity::kDamage, trouble, chunk_.offset_in_file() + at, what);
  }
  template <typename What>
  void warn(ProblemKind trouble, uint64_t at, What what) {
    report_.add(Severity::kWarning, trouble, chunk_.offset_in_file() + at, what);
  }

  jfr::read::Chunk& chunk_;
  const jfr::read::Metadata& metadata_;
  VerifyReport& report_;
  PreviousChunk& previous_;
  PreviousChunk now_;
  uint32_t stack_type_, method_type_, class_type_;
  std::vector<uint64_t> checkpoints_;  // of the walk, ascending
  int64_t start_ns_ = 0, end_ns_ = 0;  // events lie between these
};

}  // namespace jrec
