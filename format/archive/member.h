// SPDX-License-Identifier: Apache-2.0
// A Member is one file in an archive: its name, labels, and the pieces that it is made of, in the order of its bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jfr::archive {

using ContentHash = std::array<uint64_t, 2>;  // XXH3, 128 bits
ContentHash content_hash(std::span<const uint8_t> bytes);

inline constexpr uint64_t kNobodyKnows = UINT64_MAX;

// Events of a type that start far from their chunk: one or several, the first and the last of them then.
struct FarStarts {
  std::string type;
  int64_t first_ns = 0, last_ns = 0;  // since the Unix epoch
  bool operator==(const FarStarts&) const = default;
};

// A chunk that others are packed with, and the metadata that its columns are read by: where their pieces begin.
struct BaseChunk {
  uint64_t chunk = 0, metadata = 0;
  bool operator==(const BaseChunk&) const = default;
};

// The first one stands by itself, each other one is packed with those before it. None: so is what has them.
using Bases = std::vector<BaseChunk>;
inline constexpr size_t kMostBases = 4;

struct Part {
  uint64_t piece = 0;    // where its piece begins in the archive
  uint64_t size = 0;     // bytes of the file
  int64_t start_ns = 0;  // of a chunk, since the Unix epoch; 0 and 0: these bytes are no chunk
  uint64_t duration_ns = 0;
  // How far the starts of its events lie before that, and behind its end: an event that takes long is in the chunk that
  // it ends in. kNobodyKnows of a chunk that cannot be read whole.
  uint64_t early_ns = 0, late_ns = 0;
  // But for these, which are seldom and lie elsewhere: JFR writes into each chunk when the recording began.
  std::vector<FarStarts> far;
  std::vector<uint64_t> metadata;  // where the pieces begin that its metadata events are in
  Bases bases;                     // what it is packed with
  bool same_program = false;       // as these: what comes next may be packed with these and it

  bool is_chunk() const { return start_ns != 0 || duration_ns != 0; }
  int64_t end_ns() const;
  int64_t first_event_ns() const;  // as early, or earlier; but for the far ones
  int64_t last_event_ns() const;   // as late, or later; but for the far ones
};

struct Member {
  std::string name;                 // a file's: no '/', no control characters
  std::vector<std::string> labels;  // "service=shop", sorted
  int64_t added_ns = 0;             // since the Unix epoch
  uint64_t size = 0;                // of the file
  ContentHash hash{};
  std::vector<Part> parts;
};

bool is_member_name(std::string_view name);

std::vector<uint8_t> write_member(const Member& member);
// Nothing when these bytes are no member.
std::optional<Member> read_member(std::span<const uint8_t> bytes);

}  // namespace jfr::archive
