// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/code_cache.h"

#include <cstring>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {
namespace {

constexpr int kMaxHops = 512;  // of the segment map; a hop covers up to 254 segments
constexpr uint8_t kFreeSegment = 0xff;
constexpr uint32_t kGrowableArrayData = 8;  // GrowableArrayView::_data follows the two counts of GrowableArrayBase

constexpr uint64_t text8(const char (&text)[9]) {
  uint64_t value = 0;
  for (int i = 7; i >= 0; --i) value = value << 8 | static_cast<uint8_t>(text[i]);
  return value;
}

}  // namespace

bool CodeCache::open(const Layout& layout) {
  layout_ = &layout;
  low_ = u64_at(layout.code_cache.low);
  high_ = u64_at(layout.code_cache.high);
  interpreter_begin_ = layout.interpreter.begin;
  interpreter_end_ = layout.interpreter.end;
  const uint64_t array = u64_at(layout.code_cache.heaps);
  const uint32_t count = u32_at(array);
  const uint64_t data = u64_at(array + kGrowableArrayData);
  if (count == 0 || count > kMaxHeaps || low_ == 0 || high_ <= low_) return false;
  for (heap_count_ = 0; heap_count_ < count; ++heap_count_) {
    const uint64_t heap = u64_at(data + 8 * heap_count_);
    Heap& known = heaps_[heap_count_];
    known.low = u64_at(heap + layout.code_heap.memory + layout.code_heap.space_low);
    known.limit = u64_at(heap + layout.code_heap.memory + layout.code_heap.space_limit);
    known.segment_map = u64_at(heap + layout.code_heap.segmap + layout.code_heap.space_low);
    known.log2_segment = u32_at(heap + layout.code_heap.log2_segment);
    if (known.low < low_ || known.low >= high_ || known.limit <= known.low || known.log2_segment > 16) return false;
  }
  return find(layout.interpreter.begin + 64).kind == BlobKind::kInterpreter;
}

uint64_t CodeCache::find_block(const Heap& heap, uint64_t pc) const {
  uint64_t segment = (pc - heap.low) >> heap.log2_segment;
  uint8_t hops = kFreeSegment;
  if (!load8(heap.segment_map + segment, hops) || hops == kFreeSegment) return 0;
  for (int i = 0; hops != 0; ++i) {
    if (i == kMaxHops || hops > segment || hops == kFreeSegment) return 0;
    segment -= hops;
    if (!load8(heap.segment_map + segment, hops)) return 0;
  }
  const uint64_t block = heap.low + (segment << heap.log2_segment);
  if (u8_at(block + layout_->code_heap.block_used) == 0) return 0;
  return block + layout_->code_heap.block_header;
}

const CodeCache::Heap* CodeCache::heap_of(uint64_t pc) const {
  for (size_t i = 0; i < heap_count_; ++i)
    if (pc >= heaps_[i].low && pc < heaps_[i].limit) return &heaps_[i];
  return nullptr;
}

BlobKind CodeCache::kind_of(uint64_t blob) const {
  const uint64_t name = u64_at(blob + layout_->blob.name);
  if (name != 0 && name == compiled_name_.load(std::memory_order_relaxed)) return BlobKind::kCompiled;
  uint64_t head = 0;
  if (!load64(name, head)) return BlobKind::kOther;
  if (head == text8("nmethod\0")) compiled_name_.store(name, std::memory_order_relaxed);
  switch (head) {
    case text8("nmethod\0"): return BlobKind::kCompiled;
    case text8("native n"): return BlobKind::kNativeWrapper;
    case text8("I2C/C2I "): return BlobKind::kAdapter;
    case text8("vtable c"): return BlobKind::kVtable;
    case text8("StubRout"): return BlobKind::kStubRoutines;
    case text8("Safepoin"): return BlobKind::kSafepoint;
    case text8("Exceptio"): return BlobKind::kException;
    case text8("upcall_s"): return BlobKind::kUpcall;
    default: return holds_stubs(blob) ? BlobKind::kStubRoutines : numbered_kind_of(blob);
  }
}

// Names come and go: 28 has others, and an AOT cache (25 and later) calls adapters by their arguments. The number of their kind tells from 24 on.
BlobKind CodeCache::numbered_kind_of(uint64_t blob) const {
  const Layout::Blob& layout = layout_->blob;
  if (layout.kind == kAbsent) return BlobKind::kOther;
  const uint32_t number = u8_at(blob + layout.kind);
  if (number == layout.adapter) return BlobKind::kAdapter;
  if (number == layout.vtable) return BlobKind::kVtable;
  if (number == layout.safepoint) return BlobKind::kSafepoint;
  if (number == layout.exception) return BlobKind::kException;
  return number == layout.upcall ? BlobKind::kUpcall : BlobKind::kOther;
}

bool CodeCache::holds_stubs(uint64_t blob) const {
  for (const std::atomic<uint64_t>& known : stub_blobs_) {
    const uint64_t one = known.load(std::memory_order_relaxed);
    if (one == blob || one == 0) return one == blob;
  }
  return false;
}

void CodeCache::note_stubs(uint64_t blob) {
  for (std::atomic<uint64_t>& place : stub_blobs_) {
    uint64_t known = 0;
    if (place.compare_exchange_strong(known, blob, std::memory_order_relaxed) || known == blob) return;
  }
}

CodeRange code_range(const Layout::Blob& layout, uint64_t blob) {
  if (layout.code_begin != kAbsent) return {u64_at(blob + layout.code_begin), u64_at(blob + layout.code_end)};
  return {blob + u32_at(blob + layout.code_offset), blob + u32_at(blob + layout.data_offset)};
}

CodeBlob CodeCache::find(uint64_t pc) const {
  CodeBlob blob;
  if (!contains(pc)) return blob;
  const Heap* heap = heap_of(pc);
  const uint64_t address = heap == nullptr ? 0 : find_block(*heap, pc);
  if (address == 0) return blob;
  blob.address = address;
  const CodeRange code = code_range(layout_->blob, address);
  blob.code_begin = code.begin;
  blob.code_end = code.end;
  blob.kind = in_interpreter(pc) ? BlobKind::kInterpreter : kind_of(address);
  blob.frame_words = u32_at(address + layout_->blob.frame_size) & 0xffffff;
  // 16 bits on new versions, 32 on old ones; no prologue is longer than 32 KiB, so 16 do for both.
  blob.frame_complete = static_cast<int16_t>(u16_at(address + layout_->blob.frame_complete));
  return blob;
}

}  // namespace rec::agent
