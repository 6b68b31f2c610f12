// SPDX-License-Identifier: Apache-2.0
#include "agent/statistics/sources.h"

#include "recorder/chunk/statistics_events.h"
#include "recorder/engine/engine.h"

namespace rec::agent {

void StatisticsSources::open() {
  counters.open();
  heap.open();
}

void write_figures(jfr::TypeId type, int64_t ticks, const jfr::ByteSink& fields) {
  const EpochPin pin;
  if (!pin || !commit_figures(*pin, type, ticks, fields)) Engine::losses().note(Note::kEventsRefused);
}

}  // namespace rec::agent
