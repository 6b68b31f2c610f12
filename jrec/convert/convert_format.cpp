// SPDX-License-Identifier: Apache-2.0
#include "jrec/convert/convert_format.h"

namespace jrec {

ValueNames value_names(const SampleStream& stream) {
  const std::string& type = stream.event_type();
  if (stream.unit() == "bytes") return {"alloc_samples", "alloc_space", "bytes", "space", "bytes"};
  if (stream.unit() == "ns") return {"contentions", "delay", "nanoseconds", "contentions", "count"};
  if (stream.wall() || type == "profiler.WallClockSample")
    return {"samples", "wall", "nanoseconds", "wall", "nanoseconds"};
  if (type == "jdk.ExecutionSample" || type == "jdk.CPUTimeSample")
    return {"samples", "cpu", "nanoseconds", "cpu", "nanoseconds"};
  if (stream.unit() == "exceptions") return {"samples", "exceptions", "count", "exceptions", "count"};
  return {"samples", "time", "nanoseconds", "time", "nanoseconds"};
}

int64_t period_of(const SampleStream& stream, uint64_t period_ns) {
  return stream.unit() == "samples" ? static_cast<int64_t>(period_ns) : 1;
}

}  // namespace jrec
