// SPDX-License-Identifier: Apache-2.0
// Where the template interpreter builds its frames and takes them down. But for what adds: Signal-safe.
#pragma once

#include "agent/hotspot/processor/this_processor.h"
#include REC_OF_PROCESSOR(interpreter_map.h)
