// SPDX-License-Identifier: Apache-2.0
// JsonEvents writes the events of one chunk as JSON objects, {"type":...,"values":{...}}, with the values that `jfr
// print --json` gives: times and durations as java.time prints them, constants written out where they are used, null
// for what is missing. That prints a duration that is not known as the least that there is, PT-2562047788015215H-30M-8S;
// in events of our own (rec.*) it is null.
//
// The text of a constant is kept and copied, up to kMaxCache bytes of it. Constants may hold themselves, or double with
// each step: a constant inside itself becomes null, and so does what lies beyond the limits on depth and on the text of
// one event.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "format/reader/chunk.h"
#include "format/reader/key_hash.h"

namespace jrec {

class JsonEvents {
 public:
  static constexpr uint32_t kMaxConstantDepth = 64;
  static constexpr size_t kMaxEventText = 64u << 20;
  static constexpr size_t kMaxCachedText = 64u << 10;  // of one constant
  static constexpr size_t kMaxCache = 64u << 20;

  // clock: the chunk's own, or one that the caller prefers.
  JsonEvents(jfr::read::Chunk& chunk, const jfr::read::Clock& clock, uint32_t stack_depth);

  // Appends the event. False, and nothing appended, when its bytes cannot be decoded.
  bool append(const jfr::read::Event& event, const jfr::read::Type& type, std::string& out);

 private:
  void append_struct(jfr::read::Cursor& in, const jfr::read::Type& type, std::string& out);
  void append_field(jfr::read::Cursor& in, const jfr::read::Field& field, bool frames, std::string& out);
  void append_element(jfr::read::Cursor& in, const jfr::read::Field& field, std::string& out);
  void append_value(jfr::read::Cursor& in, const jfr::read::Type& type, std::string& out);
  void append_primitive(jfr::read::Cursor& in, const jfr::read::Field& field, std::string& out);
  void append_constant(uint32_t type, uint64_t key, std::string& out);
  void append_timestamp(int64_t value, const jfr::read::Field& field, std::string& out) const;
  void append_timespan(int64_t value, const jfr::read::Field& field, std::string& out) const;

  jfr::read::Chunk& chunk_;
  jfr::read::Clock clock_;
  uint32_t stack_depth_;
  int32_t utc_offset_s_;
  uint32_t frame_type_;     // index of jdk.types.StackFrame
  size_t event_start_ = 0;  // in the text
  bool ours_ = false;       // an event of our own: durations that are not known are null
  bool cut_ = false;        // a limit was met: what was written since is not to be kept
  struct Key {
    uint64_t key;
    uint32_t type;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& k) const { return of_number(k.key ^ uint64_t{k.type} << 40); }
    jfr::read::KeyHash of_number;
  };
  std::vector<Key> open_;  // constants that are being written, outermost first
  std::unordered_map<Key, std::string, KeyHash> cache_;
  size_t cached_bytes_ = 0;
};

}  // namespace jrec
