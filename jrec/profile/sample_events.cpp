// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_events.h"

namespace jrec {

void SampleEvents::add(const jfr::read::Event& event, const SampleLayout& layout) {
  SampleValues values;
  if (!reader_.read(event, layout, values)) return;
  const auto stack = stacks.find_or_add(values.stack);
  stack.value.weight += values.weight;
  ++stack.value.samples;
  const uint32_t thread = threads.find_or_add(values.thread).place;
  samples.push_back({values.time_ns, values.weight, values.ns, stack.place, thread});
}

}  // namespace jrec
