// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/unmounted_threads.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string_view>

#include "agent/hotspot/vm/symbols.h"
#include "agent/hotspot/vm/thread_name.h"
#include "agent/hotspot/vm/virtual_thread.h"
#include "agent/hotspot/walk/method_view.h"
#include "agent/hotspot/walk/outside_walk.h"
#include "agent/hotspot/walk/tagger.h"
#include "agent/sampling/chance_of_now.h"
#include "agent/sampling/stand_in.h"
#include "agent/sampling/thread_facts.h"

namespace rec::agent {
namespace {

using Does = ThreadSets::Does;

constexpr uint64_t kMostBins = 1 << 13;
constexpr size_t kMostSeen = 1 << 10;
constexpr size_t kMostFacts = 1 << 12;
constexpr int kWalkAgain = 3;
constexpr size_t kSleeperWithin = 8;  // of the topmost frames

bool is_sleeping(const Layout& layout, std::span<const RawFrame> frames) {
  return std::ranges::any_of(frames.first(std::min(frames.size(), kSleeperWithin)), [&](const RawFrame& frame) {
    const MethodView method = view_method(layout, frame.method);
    return method && text_equals(method_name(layout, method), "sleepNanos") &&
           text_equals(method.holder.name, "java/lang/VirtualThread");
  });
}

}  // namespace

UnmountedThreads::UnmountedThreads(const VmCode& vm)
    : vm_(vm), raw_(OutsideWalk::kDepth), frames_(OutsideWalk::kDepth), random_(chance_of_now()) {}

// A copy has the same sets, and what it finds in a look to itself.
bool UnmountedThreads::begin(JNIEnv* jni, ThreadSets& sets) {
  if (!vm_.reads_chunks || !sets.open(jni, vm_.layout)) return false;
  sets_ = sets;
  return true;
}

std::optional<double> UnmountedThreads::look() {
  seen_.clear();
  uint32_t met = 0;
  const auto pick = [&](uint32_t below) { return static_cast<uint32_t>(random_.next() * below); };
  const auto looked = sets_.look(bins_, pick, [&](uint64_t thread, double stands_for) {
    if (sets_.does(thread) != Does::kElse) keep({thread, stands_for}, ++met);
  });
  if (!looked.sure || looked.unsure > looked.bins / 2) return std::nullopt;
  // As many bins as have so many threads in them.
  const uint64_t wanted = looked.chosen * kWanted / std::max<uint64_t>(looked.threads, 1);
  bins_ = std::clamp<uint64_t>(std::min(wanted, 2 * bins_), kWanted, kMostBins);
  const auto bins = static_cast<double>(looked.bins), read = bins - static_cast<double>(looked.unsure);
  return bins / std::max(read, 1.0) * std::max(static_cast<double>(met) / kMostSeen, 1.0);
}

// Each of those that were met has the same chance (Vitter's algorithm R).
void UnmountedThreads::keep(const Seen& seen, uint32_t met) {
  if (met <= kMostSeen) return seen_.push_back(seen);
  const auto at = static_cast<size_t>(random_.next() * met);
  if (at < kMostSeen) seen_[at] = seen;
}

std::optional<UnmountedThreads::Place> UnmountedThreads::place_of(uint64_t thread) const {
  Place place{.does = sets_.does(thread), .id = sets_.id(thread)};
  if (place.id == 0) return std::nullopt;
  place.chunk_at = sets_.newest_chunk(thread);
  place.has_begun = read_chunk(vm_.layout, place.chunk_at, place.chunk);
  return place;
}

// It may have gone on, and wait again. Then its chunk has another end.
bool UnmountedThreads::is_still_at(const Place& place, uint64_t thread) const {
  StackChunk after;
  if (place.has_begun && (!read_chunk(vm_.layout, place.chunk_at, after) || !(place.chunk == after))) return false;
  return sets_.does(thread) == place.does && sets_.id(thread) == place.id;
}

bool same_place(const UnmountedThreads::Place& a, const UnmountedThreads::Place& b) {
  const auto from_begin = [](const StackChunk& chunk, uint64_t at) { return at - chunk.begin; };
  return a.does == b.does && a.id == b.id && a.has_begun == b.has_begun &&
         from_begin(a.chunk, a.chunk.sp) == from_begin(b.chunk, b.chunk.sp) &&
         from_begin(a.chunk, a.chunk.bottom) == from_begin(b.chunk, b.chunk.bottom);
}

// One that has not begun, or that is being moved, has no frame.
UnmountedThreads::Stack UnmountedThreads::stack_of(Epoch& epoch, const Place& place) {
  Walk walk;
  for (int i = 0; i < kWalkAgain && walk.count == 0; ++i) walk = walk_unmounted(vm_, place.chunk_at, raw_);
  HashedFrames frames = Tagger(vm_.layout, epoch).stack(walk, raw_.data(), nullptr, frames_.data()).frames;
  const bool is_empty = frames.frames.empty();
  if (is_empty) {
    frames_[0] = stand_in_frame(epoch, WalkEnd::kNoJavaFrame);
    frames = hashed({frames_.data(), 1});
  }
  return {epoch.intern_hashed(frames, !walk.whole() && !is_empty),
          place.does == Does::kParked && is_sleeping(vm_.layout, std::span(raw_).first(walk.count))};
}

// Copies of one thread are few, but for programs that have few threads: those are kept. One that names itself may have been met
// before it did.
Ref<ThreadFact> UnmountedThreads::fact_of(Epoch& epoch, uint64_t thread, int64_t id) {
  if (epoch.serial() != serial_ || facts_.size() == kMostFacts) facts_.clear();
  serial_ = epoch.serial();
  std::array<char, kMaxThreadName> name;
  const size_t size = virtual_thread_name(vm_.layout, thread, id, name.data(), name.size());
  const size_t hash = std::hash<std::string_view>()({name.data(), size});
  Named& known = facts_[id];
  if (known.fact && known.name_hash == hash) return known.fact;
  ThreadShape shape = virtual_shape(id);
  shape.java_name = {name.data(), static_cast<uint16_t>(size)};
  known = {epoch.copy_thread(shape), hash};
  return known.fact;
}

}  // namespace rec::agent
