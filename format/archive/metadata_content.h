// SPDX-License-Identifier: Apache-2.0
// MetadataContent is the content of a metadata event as texts and elements, nothing added and nothing lost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "format/archive/record_code.h"

namespace jfr::archive {

struct MetadataText {
  TextCoding coding = TextCoding::kNull;
  std::vector<uint64_t> units;  // kChars: UTF-16; kUtf8, kLatin1: bytes
  bool has_units() const {
    return coding == TextCoding::kUtf8 || coding == TextCoding::kLatin1 || coding == TextCoding::kChars;
  }
  uint32_t java_hash() const;
};

// A text is named by its number. sort: the element's name, then its attributes'; values: of these.
struct MetadataElement {
  std::vector<uint64_t> sort, values;
  uint64_t children = 0;
};

struct MetadataContent {
  std::vector<MetadataText> texts;
  std::vector<MetadataElement> elements;  // an element, then its children

  // Nothing when some number is not as short as it can be, or bytes are left over.
  static std::optional<MetadataContent> read(std::span<const uint8_t> bytes);
  std::vector<uint8_t> write() const;

  // The texts in the order in which elements name them, those that none names last: [i] is the number of the i-th.
  std::vector<uint32_t> naming_order() const;
  // What was text order[i] becomes text i. order: a permutation.
  void renumber(const std::vector<uint32_t>& order);
};

}  // namespace jfr::archive
