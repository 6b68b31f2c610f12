// SPDX-License-Identifier: Apache-2.0
// How much of a frame stands on the stack, from the instructions around pc. Signal-safe.
#pragma once

#include "agent/hotspot/processor/this_processor.h"
#include REC_OF_PROCESSOR(frame_shape.h)
