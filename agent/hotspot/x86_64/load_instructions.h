// SPDX-License-Identifier: Apache-2.0
// The instructions of safe loads (agent/hotspot/processor/safe_load.h, which alone includes this). Each loads from [from] with
// zero extension. Signal-safe.
#pragma once

#define REC_LOAD_64 "movq (%[from]), %[to]"
#define REC_LOAD_32 "movl (%[from]), %[to]"
#define REC_LOAD_16 "movzwl (%[from]), %[to]"
#define REC_LOAD_8 "movzbl (%[from]), %[to]"
#define REC_CLEAR_FAILED "movl $0, %[no]"
