// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/frame_slots.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/method_parts.h"
#include "agent/hotspot/vm/scopes.h"
#include "agent/hotspot/walk/deopt_handler.h"
#include "agent/hotspot/walk/stack_chunk.h"
#include "agent/hotspot/walk/walker.h"

namespace rec::agent {

// The return barrier, or a stub that moves frames: the rest of the continuation is in the heap, and behind it comes what
// entered it (JEP 444; src/hotspot/share/runtime/continuationEntry.hpp).
bool Walker::continuation_entry() {
  const uint64_t entry = entered_.return_pc == 0 ? 0 : u64_at(thread_ + entered_.thread_entry);
  if (entry < sp_ || entry >= stack_base_) return stop(WalkEnd::kBadReturn);
  // Amid such a stub, or when all is left, some frames may be neither here nor there.
  gap_ = registers_known_ || count_ - first_ + followed_ == 0;
  const uint32_t on_stack = count_;
  if (!heap_frames(entry)) {
    if (end_ == WalkEnd::kDepth) return false;
    count_ = on_stack;
    gap_ = true;
  }
  if (on_stack == first_ && followed_ == 0 && yielded()) gap_ = false;
  top_ = false;
  registers_known_ = false;
  pc_ = entered_.return_pc;
  sp_ = entry;
  return true;
}

// Continuation.doYield stands on the stack a little longer than its callers, which are in the heap by then: the newest
// of them goes on at this pc.
bool Walker::frozen_at(uint64_t pc) const {
  const uint64_t entry = entered_.return_pc == 0 ? 0 : u64_at(thread_ + entered_.thread_entry);
  uint64_t newest = 0;
  StackChunk chunk;
  return vm_.reads_chunks && find_chunk(layout_, thread_, entry + entered_.continuation, newest) &&
         read_chunk(layout_, newest, chunk) && ChunkFrames(chunk).pc() == pc;
}

// When all is frozen, the end of Continuation.doYield takes down the entry's frame, too, and returns to whoever had
// entered: what is left of it is the carrier's.
bool Walker::left_continuation() const {
  const uint64_t entry = entered_.return_pc == 0 ? 0 : u64_at(thread_ + entered_.thread_entry);
  return entered_.return_pc != 0 && sp_ > entry;
}

// Nothing is missing when the newest frame in the heap is the one that called Continuation.doYield: none of it was taken back yet.
bool Walker::yielded() const {
  return count_ > first_ && frames_[first_].method == layout_.continuation.calls_yield && frames_[first_].method != 0;
}

// Continuation.doYield is private: its caller is a method of that class.
bool Walker::may_yield() const {
  if (layout_.continuation.yield == 0 || frames_[first_].method != layout_.continuation.yield) return true;
  MethodParts caller;
  return read_parts(layout_, frames_[first_ + 1].method, caller) && caller.klass == layout_.continuation.klass;
}

// All chunks of the continuation, whole.
bool Walker::heap_frames(uint64_t entry) {
  const uint64_t entered = entry + entered_.continuation;
  uint64_t newest = 0, after = 0;
  if (!vm_.reads_chunks || !find_chunk(layout_, thread_, entered, newest) ||
      !each_chunk(layout_, newest, [&](const StackChunk& chunk) { return chunk_frames(chunk); }))
    return false;
  loads_until_here();
  return find_chunk(layout_, thread_, entered, after) && after == newest;
}

// Its last frame is the one that enters continuations, as on a carrier's stack.
Walk Walker::run_unmounted(uint64_t chunk) {
  end_ = WalkEnd::kBadFrame;
  registers_known_ = false;
  const bool whole = vm_.reads_chunks && chunk != 0 && entered_.return_pc != 0 &&
                     each_chunk(layout_, chunk, [&](const StackChunk& part) { return chunk_frames(part); });
  if (whole && count_ > 0 && add(layout_.continuation.enter_special, -1, FrameType::kNative)) end_ = WalkEnd::kRoot;
  if (end_ != WalkEnd::kRoot && end_ != WalkEnd::kDepth) count_ = 0;
  return {count_, 0, end_, false, false, pc_};
}

bool Walker::chunk_frames(const StackChunk& chunk) {
  ChunkFrames frames(chunk);
  while (!frames.at_bottom()) {
    pc_ = frames.pc();
    const bool newest = thread_ == 0 && count_ == 0 && frames.sp() == chunk.sp;
    if (newest && chunk_blocked(frames)) continue;
    const bool left = vm_.code_cache.in_interpreter(pc_) ? chunk_interpreted(frames) : chunk_compiled(frames);
    if (!left) return false;
  }
  return true;
}

// Who waits for a monitor stands in what has called the VM (JEP 491, from 24 on): a stub of the compilers', which shows
// nothing, or the wrapper of Object.wait0 (src/hotspot/share/runtime/continuationFreezeThaw.cpp).
bool Walker::chunk_blocked(ChunkFrames& frames) {
  const CodeBlob blob = vm_.code_cache.find(pc_);
  const bool wraps = blob.kind == BlobKind::kNativeWrapper;
  if ((!wraps && !is_runtime_stub(blob.kind)) || !frames.leave_compiled(blob.frame_words)) return false;
  return !wraps || add(u64_at(blob.address + layout_.nmethod.method), -1, FrameType::kNative);
}

bool Walker::chunk_interpreted(ChunkFrames& frames) {
  const uint64_t fp = frames.interpreted_fp();
  const uint64_t method = fp == 0 ? 0 : u64_at(slot(fp, kMethodSlot));
  MethodParts parts;
  if (!read_parts(layout_, method, parts)) return false;
  if (is_native(layout_, method)) return add(method, -1, FrameType::kNative) && frames.leave_interpreted(fp);
  const int32_t bci = bci_of(layout_, parts.const_method, u64_at(slot(fp, kBytecodeSlot)));
  return bci >= 0 && add(method, bci, FrameType::kInterpreted) && frames.leave_interpreted(fp);
}

bool Walker::chunk_compiled(ChunkFrames& frames) {
  if (!is_return_address(pc_)) return false;
  const CodeBlob blob = vm_.code_cache.find(pc_);
  sp_ = frames.sp();  // where a deoptimised frame keeps its pc
  return blob.kind == BlobKind::kCompiled && add_scopes(blob, original_pc(layout_, blob, pc_, sp_)) &&
         frames.leave_compiled(blob.frame_words);
}

// Does the walk end with this frame of Continuation.enterSpecial, at sp_? What lies below belongs to the carrier.
bool Walker::ends_at_entry(const CodeBlob& blob) const {
  if (shown_.carrier == CarrierFrames::kShown || !holds(blob, entered_.return_pc)) return false;
  return pc_ != entered_.return_pc || u32_at(sp_ + entered_.is_virtual) != 0;
}

}  // namespace rec::agent
