// SPDX-License-Identifier: Apache-2.0
#include "jrec/safepoints/enabled_type.h"

#include <cstdint>

namespace jrec {

std::string_view enabled_type(const jfr::read::Metadata& metadata, EventFields& setting) {
  if (setting.text("name") != "enabled" || setting.text("value") != "true") return {};
  const uint32_t index = metadata.index_of(static_cast<uint64_t>(setting.integer("id")));
  return index == jfr::read::kNoType ? std::string_view() : metadata.types()[index].name;
}

}  // namespace jrec
