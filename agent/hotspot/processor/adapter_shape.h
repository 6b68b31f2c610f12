// SPDX-License-Identifier: Apache-2.0
// Where adapters between compiled and interpreted code have their caller's return address. Signal-safe.
#pragma once

#include "agent/hotspot/processor/this_processor.h"
#include REC_OF_PROCESSOR(adapter_shape.h)
