// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_path.h"

#include <algorithm>

#include "base/utf8.h"
#include "jrec/base/letter_case.h"
#include "jrec/delta/delta_commit.h"

namespace jrec {
namespace {

bool is_day(const std::string& text) {
  constexpr std::string_view kShape = "0000-00-00";
  const auto fits = [](char c, char shape) { return shape == '0' ? c >= '0' && c <= '9' : c == shape; };
  return std::ranges::equal(text, kShape, fits);
}

}  // namespace

PathColumns columns_of_path(std::string_view path) {
  PathColumns columns;
  for (size_t at = 0, slash; (slash = path.find('/', at)) != std::string_view::npos; at = slash + 1) {
    const std::string_view folder = path.substr(at, slash - at);
    const size_t equals = std::min(folder.find('='), folder.size());
    const std::string_view text = folder.substr(std::min(equals + 1, folder.size()));
    const std::string value = delta_path(text);
    columns.emplace_back(folder.substr(0, equals), base::is_utf8(value) ? value : std::string(text));
  }
  return columns;
}

std::string recording_of_path(std::string_view path) {
  constexpr size_t kIdSize = 32;
  constexpr std::string_view kEnd = ".parquet", kHex = "0123456789abcdef", kDigits = "0123456789";
  std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.ends_with(kEnd) || name.find_first_not_of(kHex) < kIdSize) return "";
  name.remove_suffix(kEnd.size());
  if (name.size() < kIdSize) return "";
  const std::string_view more = name.substr(kIdSize);  // another event type of that table
  const bool is_number =
      more.size() > 1 && more[0] == '-' && more.find_first_not_of(kDigits, 1) == std::string_view::npos;
  return more.empty() || is_number ? std::string(name.substr(0, kIdSize)) : "";
}

std::vector<std::string> partition_columns(std::string_view table) {
  if (table == kRecordings) return {kDayColumn};
  return {"service", kDayColumn, "host"};
}

std::string free_column_name(std::string name, const ParquetColumns& taken) {
  const auto is_it = [&name](const std::string& other) { return same_but_for_case(name, other); };
  if (std::ranges::any_of(partition_columns(""), is_it)) name = "event_" + name;
  const std::string first = name;
  for (int more = 2; std::ranges::any_of(taken, is_it, &ParquetColumn::name); ++more)
    name = first + "_" + std::to_string(more);
  return name;
}

bool is_in_partition(const PathColumns& columns, std::string_view table) {
  const auto is_good = [](const std::pair<std::string, std::string>& column, const std::string& name) {
    return column.first == name && (name != kDayColumn || is_day(column.second));
  };
  return std::ranges::equal(columns, partition_columns(table), is_good);
}

}  // namespace jrec
