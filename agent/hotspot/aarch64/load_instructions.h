// SPDX-License-Identifier: Apache-2.0
// The instructions of safe loads (agent/hotspot/processor/safe_load.h, which alone includes this). Each loads from [from] with
// zero extension. Signal-safe.
#pragma once

#define REC_LOAD_64 "ldr %x[to], [%x[from]]"
#define REC_LOAD_32 "ldr %w[to], [%x[from]]"
#define REC_LOAD_16 "ldrh %w[to], [%x[from]]"
#define REC_LOAD_8 "ldrb %w[to], [%x[from]]"
#define REC_CLEAR_FAILED "mov %w[no], #0"
