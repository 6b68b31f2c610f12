// SPDX-License-Identifier: Apache-2.0
// ColumnValues is one column of the rows that are not yet written. Texts are there once each, values are their places.
//
//   values.add(7);              a flag, int, long, unsigned (its bits) or time
//   values.add_null();          where the column is nullable
//   values.add_text("main");    or: const uint32_t main = values.place_of("main"); values.add(main);
//   values.begin_list(2);       of a list or map: how many values are of the next row; these follow
//
// Places are good until clear().
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "format/reader/key_hash.h"
#include "jrec/parquet/parquet_column.h"

namespace jrec {

// Texts are a stranger's, who would choose them to collide.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const;
  uint64_t seed = jfr::read::key_hash_seed();
};

class ColumnValues {
 public:
  explicit ColumnValues(const ParquetColumn& column) : column_(column) {}

  void add(int64_t value) {
    if (column_.nullable) levels_.push_back(1);
    values_.push_back(value);
  }
  void add_null() { levels_.push_back(0); }
  void add_real(double value) { add(std::bit_cast<int64_t>(value)); }
  void add_text(std::string_view text) { add(place_of(text)); }
  uint32_t place_of(std::string_view text);
  void begin_list(size_t count) { levels_.push_back(static_cast<uint32_t>(count)); }

  const ParquetColumn& column() const { return column_; }
  const std::vector<int64_t>& values() const { return values_; }
  // Of a nullable column, of each row: 1 if it has a value. Of a list: how many.
  const std::vector<uint32_t>& levels() const { return levels_; }
  const std::vector<const std::string*>& texts() const { return texts_; }

  uint64_t bytes() const { return values_.size() * sizeof values_[0] + text_bytes_; }  // as they are held
  void clear();

 private:
  ParquetColumn column_;
  std::vector<int64_t> values_;
  std::vector<uint32_t> levels_;
  std::unordered_map<std::string, uint32_t, TextHash, std::equal_to<>> places_;
  std::vector<const std::string*> texts_;
  uint64_t text_bytes_ = 0;
};

}  // namespace jrec
