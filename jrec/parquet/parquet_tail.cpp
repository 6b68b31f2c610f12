// SPDX-License-Identifier: Apache-2.0
#include "jrec/parquet/parquet_tail.h"

#include <cstring>
#include <utility>

namespace jrec {

using base::corrupt;
using base::Result;

namespace {

constexpr size_t kBehindFooter = 8;  // u32, "PAR1"

}  // namespace

Result<uint64_t> parquet_tail_size(std::span<const uint8_t> end) {
  if (end.size() < kParquetEnd || std::memcmp(end.data() + end.size() - 4, "PAR1", 4) != 0)
    return corrupt(end.size(), "is no Parquet file");
  uint32_t size = 0;
  std::memcpy(&size, end.data() + end.size() - kBehindFooter, sizeof size);
  return size + kBehindFooter;
}

Result<ThriftValue> parquet_footer(std::span<const uint8_t> tail) {
  const auto size = parquet_tail_size(tail);
  if (!size) return size.error();
  if (*size > tail.size()) return corrupt(tail.size() - kBehindFooter, "its footer is larger than the file");
  size_t at = 0;
  auto footer = ThriftValue::read(tail.last(*size).first(*size - kBehindFooter), at);
  if (!footer) return corrupt(tail.size() - *size, "its footer cannot be read");
  return std::move(*footer);
}

}  // namespace jrec
