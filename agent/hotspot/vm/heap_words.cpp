// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/heap_words.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/vm_flags.h"
#include "agent/hotspot/vm/vm_tables.h"

namespace rec::agent {

// While open() looks for the words. What a version does not export is not taken.
class HeapWords::Finder {
 public:
  struct Name {
    const char *type, *field;
  };

  Finder(HeapWords& words, const VmTables& tables) : words_(words), tables_(tables) {}

  // A number inside of objects that lie in each other.
  void word(uint64_t at, std::initializer_list<Name> path) {
    for (const Name& name : path) {
      const auto offset = tables_.offset(name.type, name.field);
      if (!offset) return;
      at += *offset;
    }
    if (words_.words_ < kMost) words_.word_[words_.words_++] = at;
  }

  // Spaces that a generation points to, by fields of one type.
  void spaces(uint64_t generation, const char* type, std::initializer_list<const char*> fields, const char* space) {
    const auto bottom = either(space, "Space", "_bottom"), top = tables_.offset(space, "_top");
    for (const char* field : fields) {
      const auto at = tables_.offset(type, field);
      if (at && bottom && top && generation != 0 && words_.spaces_ < kMost)
        words_.space_[words_.spaces_++] = {generation + *at, static_cast<uint32_t>(*bottom),
                                           static_cast<uint32_t>(*top)};
    }
  }

  std::optional<uint64_t> either(const char* type, const char* other, const char* field) const {
    const auto offset = tables_.offset(type, field);
    return offset ? offset : tables_.offset(other, field);
  }

 private:
  HeapWords& words_;
  const VmTables& tables_;
};

void HeapWords::open() {
  const auto tables = VmTables::open();
  const auto place = tables ? tables->address("Universe", "_collectedHeap") : std::nullopt;
  if (!place) return;
  const uint64_t heap = u64_at(*place);
  if (heap == 0) return;
  Finder find(*this, *tables);
  if (vm_flag_is_set("UseG1GC")) find.word(heap, {{"G1CollectedHeap", "_summary_bytes_used"}});
  if (vm_flag_is_set("UseShenandoahGC")) find.word(heap, {{"ShenandoahHeap", "_used"}});
  if (vm_flag_is_set("UseZGC")) {
    const bool old =
        tables->offset("XCollectedHeap", "_heap").has_value() && !vm_flag_is_set("ZGenerational");  // 21 to 23
    if (old)
      find.word(heap, {{"XCollectedHeap", "_heap"}, {"XHeap", "_page_allocator"}, {"XPageAllocator", "_used"}});
    else
      find.word(heap, {{"ZCollectedHeap", "_heap"}, {"ZHeap", "_page_allocator"}, {"ZPageAllocator", "_used"}});
  }
  if (vm_flag_is_set("UseParallelGC")) {
    const auto generation = [&](const char* field) {  // static up to 26
      const auto offset = tables->offset("ParallelScavengeHeap", field);
      return u64_at(offset ? heap + *offset : tables->address("ParallelScavengeHeap", field).value_or(0));
    };
    find.spaces(generation("_young_gen"), "PSYoungGen", {"_eden_space", "_from_space"}, "MutableSpace");
    find.spaces(generation("_old_gen"), "PSOldGen", {"_object_space"}, "MutableSpace");
  }
  if (vm_flag_is_set("UseSerialGC")) {
    const auto young = find.either("SerialHeap", "GenCollectedHeap", "_young_gen");
    const auto old = find.either("SerialHeap", "GenCollectedHeap", "_old_gen");
    if (!young || !old) return;
    find.spaces(u64_at(heap + *young), "DefNewGeneration", {"_eden_space", "_from_space"}, "ContiguousSpace");
    find.spaces(u64_at(heap + *old), "TenuredGeneration", {"_the_space"}, "ContiguousSpace");
  }
  const auto reserved = tables->offset("CollectedHeap", "_reserved"), start = tables->offset("MemRegion", "_start"),
             size = tables->offset("MemRegion", "_word_size");
  if (!reserved || !start || !size || vm_flag_is_set("UseZGC")) return;
  reserved_.begin = u64_at(heap + *reserved + *start);
  reserved_.end = reserved_.begin + u64_at(heap + *reserved + *size) * sizeof(uint64_t);
}

int64_t HeapWords::used() const {
  if (!known()) return -1;
  uint64_t used = 0;
  for (size_t i = 0; i < words_; ++i) used += u64_at(word_[i]);
  for (size_t i = 0; i < spaces_; ++i) {
    const uint64_t space = u64_at(space_[i].pointer);
    const uint64_t bottom = u64_at(space + space_[i].bottom), top = u64_at(space + space_[i].top);
    used += std::max(top, bottom) - bottom;
  }
  return static_cast<int64_t>(used);
}

AddressRange code_cache_range() {
  const auto tables = VmTables::open();
  if (!tables) return {};
  const auto low = tables->address("CodeCache", "_low_bound"), high = tables->address("CodeCache", "_high_bound");
  return low && high ? AddressRange{u64_at(*low), u64_at(*high)} : AddressRange{};
}

}  // namespace rec::agent
