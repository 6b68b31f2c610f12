// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/sample_points.h"

#include <algorithm>

#include "agent/hotspot/vm/vm_features.h"
#include "agent/sampling/chance_of_now.h"

namespace rec::agent {
namespace {

constexpr uint32_t kCountsTogether = 25;  // JDK
// A call takes about a microsecond, and what is beside a buffer has some kilobytes at least.
constexpr int64_t kCallsAPoint = 8, kLeastCall = 16 * 1024, kMostCall = 32 * 1024;
constexpr uint32_t kPointsOften = 1024;  // behind one that was missed
constexpr int64_t kSlack = 64;           // bytes: ends of buffers are aligned

// Of the VM, in bytes, where so many are left to the point.
uint64_t next_call(const ThreadRecord::AllocationPoint& own, int64_t left, int64_t interval) {
  const int64_t often = std::clamp(interval / kCallsAPoint, kLeastCall, kMostCall);
  return static_cast<uint64_t>(own.often != 0 ? std::min(left, often) : left);
}

}  // namespace

SamplePoints& SamplePoints::of_process() {
  static SamplePoints points;
  return points;
}

bool SamplePoints::open(VmSession& session) {
  if (session_ != nullptr) return true;
  allocated_.open();
  if (!allocated_.known()) return false;
  point_.open(allocated_.allocated_at());
  counts_apart_ = features_of(session.vm.layout).major < kCountsTogether;
  random_ = chance_of_now();
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
  thread.allocation.due = static_cast<int64_t>(draw(now));
  if (missed_.load(std::memory_order_relaxed)) thread.allocation.often = kPointsOften;
  point_.set(thread.java_thread, next_call(thread.allocation, thread.allocation.due, now));
}

// The object begins at that byte of the thread: a point in front of it lay in one for which the VM did not call.
void SamplePoints::note_missed(ThreadRecord::AllocationPoint& own, int64_t object) {
  if (counts_apart_ && own.due != 0 && own.due < object - kSlack) {
    own.often = kPointsOften;
    missed_.store(true, std::memory_order_relaxed);
  } else if (own.often != 0) {
    --own.often;
  }
}

bool SamplePoints::reached(int64_t size) {
  const int64_t now = interval();
  if (now == 0 || !point_.known()) return true;
  ThreadRecord* const thread = session_->threads.current();
  if (thread == nullptr || thread->java_thread == 0) return true;
  const int64_t bytes = allocated_.bytes(thread->java_thread);
  ThreadRecord::AllocationPoint& own = thread->allocation;
  if (bytes == own.seen) return own.reached;
  own.reached = bytes >= own.due || bytes < own.seen;
  own.seen = bytes;
  if (own.reached) {
    note_missed(own, bytes - size);
    own.due = bytes + static_cast<int64_t>(draw(now));
  }
  point_.set(thread->java_thread, next_call(own, own.due - bytes, now));
  return own.reached;
}

}  // namespace rec::agent
