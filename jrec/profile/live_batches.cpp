// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/live_batches.h"

#include <algorithm>

#include "jrec/profile/sample_kind.h"
#include "jrec/profile/sample_reader.h"

namespace jrec {

using jfr::read::Event;

LiveBatch last_live_batch(jfr::read::Chunk& chunk, const TimeRange& range) {
  const SampleLayout layout = sample_layout(chunk, kLiveType, false);
  if (layout.type == nullptr) return {};
  LiveBatch batch;
  SampleReader reader(chunk);
  auto walk = chunk.events();
  for (Event event; walk.next(event);) {
    if (event.type_id != layout.type->id) continue;
    batch.unweighed = layout.weight < 0;
    SampleValues values;
    if (!reader.read(event, layout, values)) continue;
    if (range.holds(values.time_ns)) batch.last_ns = std::max(batch.last_ns, values.time_ns);
  }
  if (batch.last_ns != INT64_MIN) batch.jvm = writer_of(chunk);
  return batch;
}

void LiveBatches::note(const LiveBatch& batch) {
  unweighed_ = unweighed_ || batch.unweighed;
  if (!batch.jvm) return;
  int64_t& last_ns = last_ns_.try_emplace(*batch.jvm, batch.last_ns).first->second;
  last_ns = std::max(last_ns, batch.last_ns);
}

std::optional<int64_t> LiveBatches::time_in(jfr::read::Chunk& chunk) const {
  const std::optional<WriterProcess> jvm = writer_of(chunk);
  const auto found = jvm ? last_ns_.find(*jvm) : last_ns_.end();
  return found == last_ns_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace jrec
