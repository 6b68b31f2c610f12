// SPDX-License-Identifier: Apache-2.0
// MetadataModel is what both directions of metadata_codec.h learn on the way: streams, sorts of elements, and who named
// a text first.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "format/archive/stream.h"

namespace jfr::archive {

// Texts that the same attribute named first; group 0 has names of elements and attributes, and texts that nothing
// names.
struct TextGroup {
  explicit TextGroup(Streams& streams)
      : values(streams.add_numbers()), lengths(streams.add_numbers()), units(streams.add_numbers()) {
    streams.numbers(units).is_text = true;
  }
  uint32_t values, lengths, units;
};

class MetadataModel {
 public:
  using Sort = std::vector<uint64_t>;  // the text of the element's name, then those of its attributes' names

  MetadataModel()
      : order(streams.add_numbers()),
        texts(streams.add_numbers()),
        codings(streams.add_numbers()),
        sorts(streams.add_numbers()),
        sort_sizes(streams.add_numbers()),
        sort_texts(streams.add_numbers()),
        children(streams.add_numbers()) {
    groups.emplace_back(streams);
  }

  void set_texts(uint64_t count) { named_by_.assign(count, kNobody); }

  // The group of an attribute's values, by the text of its name.
  uint32_t group(uint64_t attribute) {
    const auto [known, is_new] = group_of_.try_emplace(attribute, static_cast<uint32_t>(groups.size()));
    if (is_new) groups.emplace_back(streams);
    return known->second;
  }

  // What stands for a text in a column of values.
  uint64_t code_of(uint64_t text) const { return text == next_ ? 0 : text + 1; }
  uint64_t text_of(uint64_t code) const { return code == 0 ? next_ : code - 1; }

  // False: there is no such text.
  bool name(uint64_t text, uint32_t group) {
    if (text >= named_by_.size()) return false;
    if (named_by_[text] == kNobody) named_by_[text] = group;
    while (next_ < named_by_.size() && named_by_[next_] != kNobody) ++next_;
    return true;
  }
  const TextGroup& group_of_text(uint64_t text) const {
    return groups[named_by_[text] == kNobody ? 0 : named_by_[text]];
  }

  Streams streams;
  const uint32_t order, texts, codings, sorts, sort_sizes, sort_texts, children;
  std::vector<TextGroup> groups;
  std::vector<Sort> known_sorts;
  std::map<Sort, uint64_t> sort_numbers;

 private:
  static constexpr uint32_t kNobody = UINT32_MAX;
  std::map<uint64_t, uint32_t> group_of_;
  std::vector<uint32_t> named_by_;
  uint64_t next_ = 0;
};

}  // namespace jfr::archive
