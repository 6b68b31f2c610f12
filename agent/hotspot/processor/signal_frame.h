// SPDX-License-Identifier: Apache-2.0
// Frames of signals' handlers, where unwinding tables do not tell of them. Signal-safe.
#pragma once

#include "agent/hotspot/processor/this_processor.h"
#include REC_OF_PROCESSOR(signal_frame.h)
