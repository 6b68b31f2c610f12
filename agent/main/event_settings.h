// SPDX-License-Identifier: Apache-2.0
// What a chunk says of how its events were recorded (jdk.ActiveSetting).
#pragma once

#include <vector>

#include "agent/options/options.h"
#include "agent/sampling/clock_choice.h"
#include "format/type_ids.h"
#include "recorder/chunk/chunk_config.h"

namespace rec::agent {

// cpu: the clock that options.period_ns has become. statistics: the types that these can write in this JVM.
std::vector<EventSetting> event_settings(const Options& options, const ClockChoice& cpu,
                                         const std::vector<jfr::TypeId>& statistics);

}  // namespace rec::agent
