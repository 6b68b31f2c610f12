// SPDX-License-Identifier: Apache-2.0
// The footer of a Parquet file of anybody's, out of the file's last bytes: footer, Thrift | u32 of its bytes | "PAR1".
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "jrec/parquet/thrift_value.h"

namespace jrec {

// How many last bytes of a file the footer is in, of which there are some at least: 12 for a file that has but these.
inline constexpr size_t kParquetEnd = 12;
base::Result<uint64_t> parquet_tail_size(std::span<const uint8_t> end);

// Its texts lie in `tail`. kCorrupt: this is no end of a Parquet file, or its footer begins before it.
base::Result<ThriftValue> parquet_footer(std::span<const uint8_t> tail);

}  // namespace jrec
