// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/stack_chunk.h"

#include "agent/hotspot/processor/frame_slots.h"
#include "agent/hotspot/processor/return_address.h"
#include "agent/hotspot/vm/heap_object.h"

namespace rec::agent {
namespace {

constexpr uint32_t kMaxChunkWords = 1u << 24;  // a stack of 128 MiB
constexpr uint64_t kMetadataBytes = 16;        // pc and frame pointer below sp

// A slot of an interpreted frame in a chunk: words from its frame pointer.
uint64_t relative(uint64_t fp, int index) { return fp + 8 * u64_at(slot(fp, index)); }

// A virtual thread says itself which continuation is its own: where a stack's word does not (ZGC). One inside another
// would be the other's child.
bool continuation_of_thread(const Layout& layout, uint64_t java_thread, uint64_t& continuation) {
  if (layout.thread.running == kAbsent || layout.thread_object.continuation == kAbsent) return false;
  uint64_t thread = 0, child = 0;
  if (!load_handle(layout, java_thread + layout.thread.running, thread)) return false;
  thread = object_of(layout, thread, layout.thread_object.virtual_class);
  if (thread == 0 || !load_reference(layout, thread + layout.thread_object.continuation, continuation)) return false;
  continuation = object_of(layout, continuation, layout.continuation.virtual_klass);
  return continuation != 0 && load_reference(layout, continuation + layout.continuation.child, child) && child == 0;
}

bool find_continuation(const Layout& layout, uint64_t java_thread, uint64_t entered, uint64_t& continuation) {
  uint64_t address = 0;
  if (!load_stack_reference(layout, entered, address)) return continuation_of_thread(layout, java_thread, continuation);
  continuation = object_of(layout, address, layout.continuation.virtual_klass);
  if (continuation == 0) continuation = object_of(layout, address, layout.continuation.klass);
  return continuation != 0;
}

}  // namespace

bool read_chunk(const Layout& layout, uint64_t address, StackChunk& chunk) {
  const Layout::Continuation& part = layout.continuation;
  const uint64_t object = object_of(layout, address, part.chunk_class);
  uint32_t size = 0, sp = 0, bottom = 0;
  if (object == 0 || !load_reference(layout, object + part.parent, chunk.parent) || !load32(object + part.size, size) ||
      !load32(object + part.sp, sp))
    return false;
  if (!load32(object + (part.bottom != kAbsent ? part.bottom : part.argsize), bottom)) return false;
  if (part.bottom == kAbsent) bottom = size - bottom;
  if (size > kMaxChunkWords || bottom > size || sp > bottom) {
    // An empty chunk keeps, to 21, its stack pointer behind the arguments.
    if (size > kMaxChunkWords || bottom > size || sp != size) return false;
    sp = bottom;
  }
  chunk.begin = object + part.stack;
  chunk.sp = chunk.begin + 8ull * sp;
  chunk.bottom = chunk.begin + 8ull * bottom;
  chunk.end = chunk.begin + 8ull * size;
  return true;
}

bool find_chunk(const Layout& layout, uint64_t java_thread, uint64_t entered, uint64_t& chunk) {
  uint64_t continuation = 0;
  return find_continuation(layout, java_thread, entered, continuation) &&
         load_reference(layout, continuation + layout.continuation.tail, chunk);
}

ChunkFrames::ChunkFrames(const StackChunk& chunk) : chunk_(chunk), sp_(chunk.sp), own_sp_(chunk.sp) {
  if (!at_bottom()) go_to(sp_, own_sp_);
}

bool ChunkFrames::go_to(uint64_t sp, uint64_t own_sp) {
  if (sp < chunk_.begin + kMetadataBytes || sp > chunk_.bottom || own_sp > chunk_.bottom) return false;
  sp_ = sp;
  own_sp_ = own_sp;
  pc_ = at_bottom() ? 0 : return_at(sp - 8);
  return true;
}

uint64_t ChunkFrames::interpreted_fp() const {
  const uint64_t saved = sp_ - kMetadataBytes, fp = saved + 8 * u64_at(saved);
  return fp > sp_ && fp < chunk_.end && slot(fp, kLastFixedSlot) >= chunk_.begin ? fp : 0;
}

bool ChunkFrames::leave_compiled(uint32_t frame_words) {
  const uint64_t sp = own_sp_ + 8ull * frame_words;
  return frame_words >= 2 && sp > sp_ && go_to(sp, sp);
}

// The locals of the outermost frame end behind its arguments.
bool ChunkFrames::leave_interpreted(uint64_t fp) {
  const uint64_t locals_end = relative(fp, kLocalsSlot) + 8;
  if (locals_end <= fp || locals_end > chunk_.end) return false;
  if (locals_end >= chunk_.bottom) return go_to(chunk_.bottom, chunk_.bottom);
  const uint64_t sender_sp = sender_above(relative(fp, kSenderSpSlot), fp + kMetadataBytes);
  return sender_sp >= sp_ && go_to(fp + kMetadataBytes, sender_sp);
}

}  // namespace rec::agent
