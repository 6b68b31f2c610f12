// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/old_generation.h"

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/heap_object.h"
#include "agent/hotspot/vm/zgc_forwarding.h"

namespace rec::agent {
namespace {

constexpr uint32_t kGeneration = 1, kAge = 2;  // of a ZPage, behind its type
constexpr uint8_t kYoung = 0, kOld = 1, kOldAge = 15;
constexpr uint64_t kHandleTags = 3;  // of a jweak (jniHandles.hpp)
constexpr int kOldColour = 2;        // of the colour's number
constexpr uint64_t kEntryBytes = 8;

bool is_generational(const Layout& layout) { return layout.object.reference == Layout::Object::Reference::kColoured; }

uint8_t byte_at(uint64_t address) { return static_cast<uint8_t>(u32_at(address & ~uint64_t{3}) >> (address & 3) * 8); }

}  // namespace

void OldGeneration::open(const Layout& layout) {
  layout_ = &layout;
  count_ = 0;
  if (!is_generational(layout) || layout.heap.collected_heap == 0 || layout.heap.total_collections == kAbsent) return;
  count_ = u64_at(layout.heap.collected_heap) + layout.heap.total_collections + sizeof(uint32_t);
}

OldGeneration::Collections OldGeneration::collections() const {
  if (!known()) return {};
  const uint32_t begun = u32_at(count_);
  const int colour = colour_of(u64_at(layout_->zgc.good_colours));
  const bool changes = colour < 0 || ((colour & kOldColour) != 0) != ((begun & 1) != 0);
  return {begun, begun - (changes && begun > 0 ? 1 : 0)};
}

uint32_t OldGeneration::in_since(const void* weak) const {
  if (!known()) return kNever;
  const Layout::Zgc& zgc = layout_->zgc;
  uint64_t address = 0;
  const uint64_t slot = reinterpret_cast<uint64_t>(weak) & ~kHandleTags;
  if (zgc.pages == 0 || !load_reference(*layout_, slot, address) || address == 0) return kNever;
  const uint64_t offset = address & zgc.offset_mask;
  const uint64_t page = u64_at(zgc.pages + kEntryBytes * (offset >> zgc.granule_shift));
  if (page == 0 || offset - u64_at(page + zgc.page_start) >= u64_at(page + zgc.page_start + kEntryBytes)) return kNever;
  const uint8_t generation = byte_at(page + kGeneration), age = byte_at(page + kAge);
  const uint32_t made = u32_at(page + zgc.page_sequence);
  return generation == kOld && age == kOldAge && made > 0 ? made - 1 : kNever;
}

}  // namespace rec::agent
