// SPDX-License-Identifier: Apache-2.0
// ContentIds gives equal content one id and different content different ids, for things that have no id of their own:
// symbols, packages, modules, thread groups. Contents are remembered across chunks, so that a constant looks the same
// in each; past a limit they are forgotten between two chunks. Ids never restart, forgotten or not, because readers
// reuse constants of the previous chunk by id. Recorder thread only.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace rec {

class ContentIds {
 public:
  explicit ContentIds(uint64_t first_id) : last_(first_id - 1) {}
  struct Answer {
    uint64_t id;
    bool fresh;  // not asked for in this chunk before
  };
  Answer id_of(std::string_view content) {
    assert(chunk_ != 0 && "start_chunk() comes first");
    auto known = ids_.find(content);
    if (known == ids_.end()) known = ids_.emplace(std::string(content), Entry{++last_, 0}).first;
    const bool fresh = known->second.written_in != chunk_;
    known->second.written_in = chunk_;
    return {known->second.id, fresh};
  }
  void start_chunk(uint32_t serial, size_t limit) {
    chunk_ = serial;
    if (ids_.size() > limit) ids_.clear();
  }

 private:
  struct Entry {
    uint64_t id;
    uint32_t written_in;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, Entry, Hash, std::equal_to<>> ids_;
  uint64_t last_;
  uint32_t chunk_ = 0;
};

}  // namespace rec
