// SPDX-License-Identifier: Apache-2.0
// CpuLoad tells how busy process and machine were between two looks at /proc, as jdk.CPULoad. Recorder thread only.
#pragma once

#include <cstdint>
#include <optional>

#include "recorder/chunk/event_encoder.h"

namespace rec {

class CpuLoad {
 public:
  // Encodes one event if the last one is long enough ago; the first look only takes the measure.
  void encode_if_due(EventEncoder& out, int64_t ticks);

 private:
  // In clock ticks of the kernel (USER_HZ), all processors together.
  struct Look {
    int64_t at = 0;  // ns
    uint64_t user = 0, system = 0, machine_busy = 0, machine_all = 0;
  };
  static std::optional<Look> look(int64_t ticks);
  Look last_;
};

}  // namespace rec
