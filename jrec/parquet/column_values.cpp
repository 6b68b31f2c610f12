// SPDX-License-Identifier: Apache-2.0
#include "jrec/parquet/column_values.h"

#include <xxhash.h>

namespace jrec {

size_t TextHash::operator()(std::string_view text) const {
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

uint32_t ColumnValues::place_of(std::string_view text) {
  if (const auto known = places_.find(text); known != places_.end()) return known->second;
  const auto place = static_cast<uint32_t>(texts_.size());
  texts_.push_back(&places_.emplace(text, place).first->first);
  text_bytes_ += text.size() + sizeof(std::string);
  return place;
}

void ColumnValues::clear() {
  values_ = {};
  levels_ = {};
  texts_ = {};
  places_.clear();
  text_bytes_ = 0;
}

}  // namespace jrec
