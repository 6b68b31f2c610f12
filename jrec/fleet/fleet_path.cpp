// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_path.h"

#include <algorithm>

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
    columns.emplace_back(folder.substr(0, equals), delta_path(folder.substr(std::min(equals + 1, folder.size()))));
  }
  return columns;
}

std::vector<std::string> partition_columns(std::string_view table) {
  if (table == kRecordings) return {kDayColumn};
  return {"service", kDayColumn, "host"};
}

bool is_in_partition(const PathColumns& columns, std::string_view table) {
  const auto is_good = [](const std::pair<std::string, std::string>& column, const std::string& name) {
    return column.first == name && (name != kDayColumn || is_day(column.second));
  };
  return std::ranges::equal(columns, partition_columns(table), is_good);
}

}  // namespace jrec
