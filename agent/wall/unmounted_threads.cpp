// SPDX-License-Identifier: Apache-2.0
#include "agent/wall/unmounted_threads.h"

#include <time.h>

#include <algorithm>
#include <array>

#include "agent/hotspot/vm/virtual_thread.h"
#include "agent/hotspot/walk/outside_walk.h"
#include "agent/hotspot/walk/stack_chunk.h"
#include "agent/hotspot/walk/tagger.h"
#include "agent/hotspot/walk/wait_state.h"
#include "agent/sampling/sampler.h"
#include "agent/sampling/stand_in.h"
#include "agent/sampling/wall_sample.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

using Does = ThreadSets::Does;

constexpr uint64_t kMostBins = 1 << 13;
constexpr size_t kMostSeen = 1 << 10;
constexpr size_t kMostFacts = 1 << 12;
constexpr int kWalkAgain = 3;

uint32_t state_of(Does does) {
  switch (does) {
    case Does::kParked: return kStateParked;
    case Does::kBlocked: return kStateBlockedOnEnter;
    case Does::kInObjectWait: return kStateInObjectWait;
    case Does::kWaitsForCarrier:
    case Does::kElse: break;
  }
  return kStateRunnable;
}

}  // namespace

UnmountedThreads::UnmountedThreads(const VmCode& vm)
    : vm_(vm),
      raw_(OutsideWalk::kDepth),
      frames_(OutsideWalk::kDepth),
      random_(static_cast<uint64_t>(base::now_ticks())) {}

void UnmountedThreads::begin(JNIEnv* jni, ThreadSets& sets) {
  if (!vm_.reads_chunks || !sets.open(jni, vm_.layout)) return;
  sets_ = &sets;
  last_ticks_ = due_ticks_ = base::now_ticks();
}

void UnmountedThreads::visit(int64_t interval_ns) {
  const int64_t now = base::now_ticks();
  if (sets_ == nullptr || now < due_ticks_) return;
  EpochPin pin;
  if (!pin) return;
  const int64_t cpu_ns = base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
  if (round(*pin, now, interval_ns)) last_ticks_ = now;  // else the next one stands for its time
  const int64_t cost_ns = base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
  const int64_t pause_ns = std::max({kRoundNs, interval_ns, cost_ns * kMostShare});
  due_ticks_ = now + static_cast<int64_t>(static_cast<double>(pause_ns) * (0.5 + random_.next()));
}

// False: a collector was at work on what leads to them.
bool UnmountedThreads::round(Epoch& epoch, int64_t now, int64_t interval_ns) {
  seen_.clear();
  const auto pick = [&](uint32_t below) { return static_cast<uint32_t>(random_.next() * below); };
  const auto looked = sets_->look(bins_, pick, [&](uint64_t thread, uint32_t stands_for) {
    if (seen_.size() < kMostSeen && sets_->does(thread) != Does::kElse) seen_.push_back({thread, stands_for});
  });
  if (!looked.sure || looked.unsure > looked.bins / 2) return false;
  const auto bins = static_cast<double>(looked.bins), read = bins - static_cast<double>(looked.unsure);
  const Span span{last_ticks_, static_cast<double>(now - last_ticks_) * (bins / std::max(read, 1.0)), interval_ns};
  for (const Seen& seen : seen_) write(epoch, seen, span);
  // As many bins as have so many threads in them.
  const uint64_t wanted = looked.bins * kWanted / std::max<uint64_t>(looked.threads, 1);
  bins_ = std::clamp<uint64_t>(std::min(wanted, 2 * bins_), kWanted, kMostBins);
  return true;
}

void UnmountedThreads::write(Epoch& epoch, const Seen& seen, const Span& span) {
  const Does does = sets_->does(seen.thread);
  const int64_t id = sets_->id(seen.thread);
  if (does == Does::kElse || id == 0) return;  // it has gone on
  StackChunk before, after;
  const uint64_t chunk = sets_->newest_chunk(seen.thread);
  const bool has_begun = read_chunk(vm_.layout, chunk, before);
  const Ref<StackFact> stack = stack_of(epoch, chunk);
  // It may have gone on, and wait again. Then its chunk has another end.
  if (has_begun && (!read_chunk(vm_.layout, chunk, after) || !(before == after))) return;
  if (sets_->does(seen.thread) != does || sets_->id(seen.thread) != id) return;
  const Ref<ThreadFact> fact = fact_of(epoch, seen.thread, id);
  if (!fact || !stack) return;
  const double length_ns = span.length_ns * seen.stands_for;
  const auto samples = random_.rounded(length_ns / static_cast<double>(span.interval_ns));
  commit(epoch, {span.begin_ticks, static_cast<int64_t>(length_ns), state_of(does), static_cast<uint32_t>(samples)},
         fact, stack);
}

// One that has not begun, or that is being moved, has no frame.
Ref<StackFact> UnmountedThreads::stack_of(Epoch& epoch, uint64_t chunk) {
  Walk walk;
  for (int i = 0; i < kWalkAgain && walk.count == 0; ++i) walk = walk_unmounted(vm_, chunk, raw_);
  HashedFrames frames = Tagger(vm_.layout, epoch).stack(walk, raw_.data(), nullptr, frames_.data()).frames;
  const bool is_empty = frames.frames.empty();
  if (is_empty) {
    frames_[0] = stand_in_frame(epoch, WalkEnd::kNoJavaFrame);
    frames = hashed({frames_.data(), 1});
  }
  return epoch.intern_hashed(frames, !walk.whole() && !is_empty);
}

// Copies of one thread are few, but for programs that have few threads: those are kept.
Ref<ThreadFact> UnmountedThreads::fact_of(Epoch& epoch, uint64_t thread, int64_t id) {
  if (epoch.serial() != serial_ || facts_.size() == kMostFacts) facts_.clear();
  serial_ = epoch.serial();
  Ref<ThreadFact>& fact = facts_[id];
  if (fact) return fact;
  std::array<char, kMaxThreadName> name;
  ThreadShape shape = virtual_shape(id);
  const size_t size = virtual_thread_name(vm_.layout, thread, id, name.data(), name.size());
  shape.java_name = {name.data(), static_cast<uint16_t>(size)};
  return fact = epoch.copy_thread(shape);
}

}  // namespace rec::agent
