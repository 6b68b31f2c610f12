// SPDX-License-Identifier: Apache-2.0
// The machine registers that walking needs, by names that every processor has. Signal-safe.
#pragma once

#include "agent/hotspot/processor/this_processor.h"
#include REC_OF_PROCESSOR(registers.h)
