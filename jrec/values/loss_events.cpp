// SPDX-License-Identifier: Apache-2.0
#include "jrec/values/loss_events.h"

#include <utility>

#include "jrec/values/field_value.h"
#include "jrec/values/lost_samples.h"

namespace jrec {
namespace {

constexpr std::string_view kCounters = "rec.Counters";
// The event, and which of its fields tells.
constexpr std::pair<std::string_view, std::string_view> kLossEvents[] = {
    {"jdk.DataLoss", "amount"},
    {"jdk.CPUTimeSamplesLost", "lostSamples"},
    {kCounters, "count"},
};

std::string_view losing_field(std::string_view event_type) {
  for (const auto& [event, field] : kLossEvents)
    if (event == event_type) return field;
  return {};
}

}  // namespace

bool tells_of_losses(std::string_view event_type) { return !losing_field(event_type).empty(); }

bool read_loss(jfr::read::Chunk& chunk, const jfr::read::Event& event, const jfr::read::Type& type, ToldLoss& loss) {
  loss.cause = losing_field(type.name);
  jfr::read::FieldReader fields(chunk);
  const jfr::read::FieldValue count = fields.of(event, type, loss.cause);
  if (type.name == kCounters) loss.cause = fields.text(fields.of(event, type, "cause"));
  if (count.null()) return false;
  loss.count = fields.integer(count);
  loss.is_loss = type.name != kCounters || is_lost_sample(loss.cause);
  return true;
}

}  // namespace jrec
