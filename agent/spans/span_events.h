// SPDX-License-Identifier: Apache-2.0
// SpanEvents writes what the application has told of its spans: one rec.Span for each that lasted long enough, when it ends.
//
//   closed -- open(threshold) --> records -- close() --> closed
//
// A span that began while nothing was recorded has no start, and is not written. Shorter ones are counted, with the time that
// they took together (Note::kSpansShort); those for which there is no room, too (kSpansLost).
//
// Ordinary threads. One for the life of the process: the application may end a span at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "agent/context/context_cell.h"
#include "agent/sampling/vm_session.h"

namespace rec::agent {

class SpanEvents {
 public:
  static constexpr size_t kMostLabelBytes = 250;

  void open(VmSession& session, int64_t threshold_ns);
  void close() { threshold_ns_.store(kClosed, std::memory_order_relaxed); }

  // Of a span that begins now: CLOCK_MONOTONIC; 0: spans are not recorded.
  int64_t start_ticks() const;
  // Of a span that ends now, in the thread that has begun it. start_ticks: as it was given.
  void ended(const RequestContext& span, int64_t start_ticks, std::string_view labels);

 private:
  static constexpr int64_t kClosed = -1;
  bool write(VmSession& session, const RequestContext& span, int64_t start_ticks, int64_t duration_ns,
             std::string_view labels);

  std::atomic<VmSession*> session_{nullptr};  // of the process
  std::atomic<int64_t> threshold_ns_{kClosed};
};

SpanEvents& span_events();

}  // namespace rec::agent
