// SPDX-License-Identifier: Apache-2.0
#include "format/old/settings.h"

#include <algorithm>
#include <limits>

#include "format/old/modern_names.h"
#include "format/old/value_walk.h"

namespace jfr::old {
namespace {

struct Wanted {
  std::string_view field;
  DataType type;
};
constexpr Wanted kWanted[] = {{"id", DataType::kInt},
                              {"enabled", DataType::kBoolean},
                              {"stacktrace", DataType::kBoolean},
                              {"threshold", DataType::kLong},
                              {"period", DataType::kLong}};

bool is_set(int64_t span) {
  return span != std::numeric_limits<int64_t>::min() && span != std::numeric_limits<int64_t>::max();
}

std::string words(bool value) { return value ? "true" : "false"; }

}  // namespace

bool tells_settings(const Description& description, const EventType& type) {
  const Structure& structure = description.structures[type.structure];
  return structure.usable && event_name(type) == "jdk.ActiveSetting" &&
         std::ranges::all_of(kWanted, [&](const Wanted& wanted) {
           return std::ranges::any_of(structure.fields, [&](const Field& field) {
             return field.id == wanted.field && field.type == wanted.type;
           });
         });
}

TypeSettings read_settings(read::Cursor& in, const Description& description, const EventType& type) {
  int64_t threshold = 0, period = 0;
  bool enabled = false, stacktrace = false;
  TypeSettings settings;
  for (const Field& field : description.structures[type.structure].fields) {
    if (field.id == "id" && field.type == DataType::kInt)
      settings.id = in.be32();
    else if (field.id == "enabled" && field.type == DataType::kBoolean)
      enabled = in.u8() != 0;
    else if (field.id == "stacktrace" && field.type == DataType::kBoolean)
      stacktrace = in.u8() != 0;
    else if (field.id == "threshold" && field.type == DataType::kLong)
      threshold = static_cast<int64_t>(in.be64());
    else if (field.id == "period" && field.type == DataType::kLong)
      period = static_cast<int64_t>(in.be64());
    else
      skip_field(in, description, field);
  }
  settings.values = {{"enabled", words(enabled)}, {"stackTrace", words(stacktrace)}};
  if (is_set(threshold)) settings.values.emplace_back("threshold", std::to_string(threshold) + " ns");
  if (is_set(period))
    settings.values.emplace_back("period", period == 0 ? "everyChunk" : std::to_string(period) + " ms");
  return settings;
}

}  // namespace jfr::old
