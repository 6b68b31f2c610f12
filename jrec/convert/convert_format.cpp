// SPDX-License-Identifier: Apache-2.0
#include "jrec/convert/convert_format.h"

namespace jrec {

ValueNames value_names(const SampleStream& stream) {
  const std::string& type = stream.event_type();
  if (stream.unit() == "bytes") return {"samples", "alloc_space", "bytes"};
  if (stream.unit() == "ns") return {"contentions", "delay", "nanoseconds"};
  if (stream.wall() || type == "profiler.WallClockSample") return {"samples", "wall", "nanoseconds"};
  if (type == "jdk.ExecutionSample" || type == "jdk.CPUTimeSample") return {"samples", "cpu", "nanoseconds"};
  return {"samples", "time", "nanoseconds"};
}

}  // namespace jrec
