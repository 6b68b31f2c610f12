// SPDX-License-Identifier: Apache-2.0
// What the name of a data set's file says, from its table's folder on: each folder is a column and its value (partition.h), which stays as
// it is written where it is no UTF-8; and whose it is.
//
//   service=shop/day=2026-11-22/host=web%201/ID.parquet   --> {service, shop} {day, 2026-11-22} {host, web 1}; ID
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jrec/parquet/parquet_column.h"

namespace jrec {

using PathColumns = std::vector<std::pair<std::string, std::string>>;

inline constexpr char kRecordings[] = "recordings", kDayColumn[] = "day";

PathColumns columns_of_path(std::string_view path);
// The recording that the file is of, by its name: ID.parquet, or ID-2.parquet. Empty: jrec export made none of that name.
std::string recording_of_path(std::string_view path);
// The columns that the folders of a table are named by.
std::vector<std::string> partition_columns(std::string_view table);
// A name for a field's column beside these: engines take names for the same that differ in their case alone, and a column of a partition
// for the file's own. event_host, Size_2.
std::string free_column_name(std::string field, const ParquetColumns& taken);
// Whether a file has these, and its day is one: engines give up a whole table for one value that is no date.
bool is_in_partition(const PathColumns& columns, std::string_view table);

}  // namespace jrec
