// SPDX-License-Identifier: Apache-2.0
#include "jrec/push/push_windows.h"

#include <cassert>

#include "jrec/values/time_text.h"

namespace jrec {

void PushWindows::add(const SampleChunk& chunk) {
  assert(every_ns_ > 0 && "a window has a length");
  period_ns_ = chunk.period_ns;
  for (const TimedSample& sample : chunk.samples)
    open_[floor_div(sample.time_ns, every_ns_) * every_ns_].push_back(sample);
  int64_t end = 0;
  if (__builtin_add_overflow(chunk.start_ns, chunk.duration_ns, &end)) end = chunk.start_ns;
  while (!open_.empty() && open_.begin()->first <= end - every_ns_) give_first();
}

void PushWindows::finish() {
  while (!open_.empty()) give_first();
}

void PushWindows::give_first() {
  const auto window = open_.extract(open_.begin());
  give_({window.key(), static_cast<uint64_t>(every_ns_), period_ns_, window.mapped()});
}

}  // namespace jrec
