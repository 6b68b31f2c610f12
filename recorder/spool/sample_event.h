// SPDX-License-Identifier: Apache-2.0
// Which of JFR's events a sample becomes. Never both: tools would count it twice.
#pragma once

#include <cstdint>

namespace rec {

enum class SampleEvent : uint32_t { kExecutionSample, kCpuTimeSample };

}  // namespace rec
