// SPDX-License-Identifier: Apache-2.0
// The one place that knows which processor this is built for. What HotSpot and Linux have on every processor, but in another
// form on each, is told by headers of one name in agent/hotspot/x86_64/ and agent/hotspot/aarch64/, which declare it alike:
//
//   agent/hotspot/walk/...            #include "agent/hotspot/processor/frame_shape.h"
//   agent/hotspot/processor/...       #include REC_OF_PROCESSOR(frame_shape.h)
//   agent/hotspot/aarch64/frame_shape.h
//
// What decodes machine code and frames lies in a namespace of the processor's name, so that tests on any processor can read
// the code of all; it needs nothing of the processor that it runs on. Signal-safe.
#pragma once

// A path has no blanks.
// clang-format off
#if defined(__x86_64__)
#define REC_OF_PROCESSOR(header) REC_QUOTED(agent/hotspot/x86_64/header)
#elif defined(__aarch64__)
#define REC_OF_PROCESSOR(header) REC_QUOTED(agent/hotspot/aarch64/header)
#else
#error "agent/hotspot has no folder for this processor"
#endif
// clang-format on
#define REC_QUOTED(path) REC_QUOTED_AS_IT_IS(path)
#define REC_QUOTED_AS_IT_IS(path) #path

namespace rec::agent {

#if defined(__x86_64__)
namespace x86_64 {}
using namespace x86_64;
#else
namespace aarch64 {}
using namespace aarch64;
#endif

}  // namespace rec::agent
