// SPDX-License-Identifier: Apache-2.0
// Compiled code followed from an instruction on, without running it. Signal-safe.
#pragma once

#include "agent/hotspot/processor/this_processor.h"
#include REC_OF_PROCESSOR(code_path.h)
