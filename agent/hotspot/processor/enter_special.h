// SPDX-License-Identifier: Apache-2.0
// What the code of Continuation.enterSpecial tells of continuations. Signal-safe.
#pragma once

#include "agent/hotspot/processor/this_processor.h"
#include REC_OF_PROCESSOR(enter_special.h)
