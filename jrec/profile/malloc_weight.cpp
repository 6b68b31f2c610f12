// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/malloc_weight.h"

#include <cmath>

#include "jrec/profile/leaked_memory.h"
#include "jrec/profile/sample_period.h"

namespace jrec {

uint64_t malloc_weight(uint64_t size, uint64_t interval) {
  if (size == 0 || interval == 0) return size;
  const double bytes = static_cast<double>(size);
  const double weight = bytes / -std::expm1(-bytes / static_cast<double>(interval));
  return weight < 0x1p62 ? static_cast<uint64_t>(std::llround(weight)) : size;
}

uint64_t malloc_interval(jfr::read::Chunk& chunk, uint64_t otherwise) {
  SamplePeriod interval;  // a number is a number, of nanoseconds or bytes
  interval.enter(chunk, kMallocType);
  auto walk = chunk.events();
  for (jfr::read::Event event; walk.next(event);) interval.see(chunk, event);
  return interval.ns() != 0 ? interval.ns() : otherwise;
}

}  // namespace jrec
