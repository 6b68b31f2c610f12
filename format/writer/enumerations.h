// SPDX-License-Identifier: Apache-2.0
// Constants that are the same in every chunk: frame types, thread states, before and after a collection, collectors and
// causes of collections. Their keys are JFR's own where JFR has fixed ones (thread states are JVMTI's state bits).
#pragma once

#include <cstdint>

#include "format/writer/checkpoint_builder.h"

namespace jfr {

inline constexpr uint64_t kGcBefore = 1, kGcAfter = 2;

CheckpointBuilder enumerations();

}  // namespace jfr
