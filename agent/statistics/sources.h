// SPDX-License-Identifier: Apache-2.0
// What Statistics and the BlackBox both read, found once, and how both write.
#pragma once

#include "agent/hotspot/state/vm_counters.h"
#include "agent/hotspot/vm/heap_words.h"
#include "agent/process/control_group.h"
#include "format/type_ids.h"
#include "format/writer/byte_sink.h"

namespace rec::agent {

struct StatisticsSources {
  VmCounters counters;
  HeapWords heap;
  ControlGroup group;

  void open();  // once the JVM is up; an ordinary thread. Until then, and where it tells nothing, figures are not known
};

// An event in the current epoch (recorder/chunk/statistics_events.h), or one more that was refused. Ordinary threads.
void write_figures(jfr::TypeId type, int64_t ticks, const jfr::ByteSink& fields);

}  // namespace rec::agent
