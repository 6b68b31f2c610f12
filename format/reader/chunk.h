// SPDX-License-Identifier: Apache-2.0
// Chunk is one chunk, ready to be read: its metadata parsed, its constants found when first asked for, its events
// walked.
//
//   ChunkScanner --extent--> Chunk --> events()              every event, by size
//                                  --> field(), text()       typed access, resolved through constants()
//
// What the header points at may be missing, in a chunk that is cut or damaged. The chunk then looks for metadata and
// checkpoints by walking its events, so that whatever can be read is read; what cannot is noted in the Problems. One
// thread at a time: constants() fills itself. The file's bytes and the Problems must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/reader/chunk_header.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/constant_pools.h"
#include "format/reader/cursor.h"
#include "format/reader/event_walk.h"
#include "format/reader/metadata.h"
#include "format/reader/problems.h"

namespace jfr::read {

class Chunk {
 public:
  // Of a file, or of a stretch of one that begins there. The extent must lie in these bytes.
  Chunk(std::span<const uint8_t> file, const ChunkExtent& extent, Problems& problems, uint64_t begins_at = 0);
  Chunk(const Chunk&) = delete;
  Chunk& operator=(const Chunk&) = delete;

  std::span<const uint8_t> bytes() const { return bytes_; }
  uint64_t offset_in_file() const { return extent_.offset; }
  const ChunkHeader& header() const { return extent_.header; }
  bool whole() const { return extent_.whole; }
  const Clock& clock() const { return clock_; }
  const Metadata& metadata() const { return metadata_; }
  Problems& problems() { return problems_; }

  EventWalk events() { return walk(&problems_); }
  EventWalk events_again() { return walk(nullptr); }  // notes nothing: what it meets was noted before
  const Type* type_of(const Event& event) const { return metadata_.by_id(event.type_id); }
  // The fields of an event, and nothing behind it.
  Cursor body(const Event& event) const { return Cursor(bytes_, event.body, event.at + event.size); }
  // A cursor at the event's field of that index.
  Cursor field(const Event& event, const Type& type, int index) const;

  ConstantPools& constants();
  // Have constants() been asked for, and did they read the checkpoint at `at` from its first byte to its last?
  bool has_read_whole(uint64_t at) const { return constants_ && constants_->has_whole(at); }

  // Reads a string value and appends its text; a constant string is looked up. False when it is null or missing.
  bool append_string(Cursor& in, std::string& out);

  // Appends the text behind a field of a name-like kind: a String, or a constant or struct whose first field is one, as
  // Symbol is. Moves `in` behind the field. False when there is none.
  bool append_text(Cursor& in, const Field& field, std::string& out);

 private:
  EventWalk walk(Problems* problems);
  void load_metadata();
  void find_metadata();
  std::vector<uint64_t> checkpoint_chain(bool note);
  void add_unchained(std::vector<uint64_t>& checkpoints) const;
  std::vector<uint64_t> walk_for(uint64_t type_id) const;
  bool append_constant_text(uint32_t type, uint64_t key, std::string& out, int depth);
  bool append_first_field(Cursor& in, const Type& type, std::string& out, int depth);

  ChunkExtent extent_;
  std::span<const uint8_t> bytes_;
  Problems& problems_;
  Clock clock_;
  Metadata metadata_;
  std::optional<ConstantPools> constants_;
};

}  // namespace jfr::read
