// SPDX-License-Identifier: Apache-2.0
// The registers of the function that asks, as its callers need them. Signal-safe.
#pragma once

#include "agent/hotspot/processor/this_processor.h"
#include REC_OF_PROCESSOR(registers_here.h)
