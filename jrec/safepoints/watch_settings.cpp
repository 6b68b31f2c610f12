// SPDX-License-Identifier: Apache-2.0
#include "jrec/safepoints/watch_settings.h"

namespace jrec {

void WatchSettings::take(const jfr::read::Chunk& chunk, std::string_view name, EventFields& fields) {
  if (name != kSettingEvent) return;
  const jfr::read::Type* type = chunk.metadata().find("rec.TimeToSafepoint");
  if (type == nullptr || fields.integer("id") != static_cast<int64_t>(type->id)) return;
  if (fields.text("name") == "threshold") threshold_ = fields.text("value");
}

}  // namespace jrec
