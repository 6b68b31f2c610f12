// SPDX-License-Identifier: Apache-2.0
// A ColumnChunk is the values of one column in one row group, as a file has them:
//
//   [page header | dictionary, zstd]  page header | levels, values, zstd
//
//   levels   u32 of their bytes, bit runs (bit_runs.h): how far into the list a value is, and whether there is one
//   values   places in the dictionary, as a byte of their bits and bit runs; times as deltas (delta_numbers.h); or, where a
//            dictionary takes more, PLAIN: little-endian numbers, flags as bits, texts behind a u32 of their bytes
//
// Source: parquet-format/README.md and parquet.thrift.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "jrec/parquet/column_values.h"

namespace jrec {

// Numbers of parquet.thrift.
enum class ParquetEncoding : uint8_t { kPlain = 0, kRle = 3, kDelta = 5, kDictionary = 8 };
inline constexpr int kParquetZstd = 6;

struct ColumnChunk {
  std::vector<uint8_t> bytes;
  uint64_t dictionary_bytes = 0;  // the first of them; 0: no dictionary
  uint64_t unpacked_bytes = 0;    // page headers included
  uint64_t values = 0;            // nulls and empty lists are values here
  uint64_t nulls = 0;
  ParquetEncoding encoding = ParquetEncoding::kPlain;  // of the values
  std::string least, most;                             // PLAIN, without the length of texts; empty: not known
};

// kLimit: a page would be larger than two gigabytes.
base::Result<ColumnChunk> make_column_chunk(const ColumnValues& values, int zstd_level);

}  // namespace jrec
