// SPDX-License-Identifier: Apache-2.0
// Where HotSpot keeps what in frames of fixed shape. Signal-safe.
#pragma once

#include "agent/hotspot/processor/this_processor.h"
#include REC_OF_PROCESSOR(frame_slots.h)
