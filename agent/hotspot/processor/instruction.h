// SPDX-License-Identifier: Apache-2.0
// What walking needs to know of one machine instruction. Signal-safe.
#pragma once

#include "agent/hotspot/processor/this_processor.h"
#include REC_OF_PROCESSOR(instruction.h)
