// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/sample_points.h"

#include "base/clock.h"

namespace rec::agent {

SamplePoints& SamplePoints::of_process() {
  static SamplePoints points;
  return points;
}

bool SamplePoints::open(VmSession& session) {
  if (session_ != nullptr) return true;
  allocated_.open();
  if (!allocated_.known()) return false;
  point_.open(allocated_.allocated_at());
  random_ = static_cast<uint64_t>(base::now_ticks());
  session_ = &session;
  return true;
}

void SamplePoints::start(VmSession& session, int64_t interval_bytes) {
  if (!open(session)) return;
  interval_.store(interval_bytes, std::memory_order_release);  // pairs with the acquire in interval()
}

void SamplePoints::stop() { interval_.store(0, std::memory_order_relaxed); }

// Pairs with the release in start().
int64_t SamplePoints::interval() const { return interval_.load(std::memory_order_acquire); }

void SamplePoints::thread_started(ThreadRecord& thread) {
  const int64_t now = interval();
  if (now == 0 || thread.java_thread == 0) return;
  if (!point_.known()) point_.prove(thread.java_thread, now);
  thread.allocation = {};
  // Who was attached has a buffer already, whose end the VM has set by its own point.
  if (!point_.known() || allocated_.bytes(thread.java_thread) != 0) return;
  const uint64_t point = draw(now);
  thread.allocation.due = static_cast<int64_t>(point);
  point_.set(thread.java_thread, point);
}

bool SamplePoints::reached() {
  const int64_t now = interval();
  if (now == 0 || !point_.known()) return true;
  ThreadRecord* const thread = session_->threads.current();
  if (thread == nullptr || thread->java_thread == 0) return true;
  const int64_t bytes = allocated_.bytes(thread->java_thread);
  ThreadRecord::AllocationPoint& own = thread->allocation;
  if (bytes == own.seen) return own.reached;
  own.reached = bytes >= own.due || bytes < own.seen;
  own.seen = bytes;
  if (own.reached) own.due = bytes + static_cast<int64_t>(draw(now));
  point_.set(thread->java_thread, static_cast<uint64_t>(own.due - bytes));
  return own.reached;
}

}  // namespace rec::agent
