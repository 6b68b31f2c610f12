// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/zgc_forwarding.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/vm_tables.h"

namespace rec::agent {
namespace {

constexpr uint64_t kRemembered = 0x30;  // both set: from old to old
constexpr int kMaxProbes = 256;
constexpr int kOld = 0, kYoung = 1;

// ZGranuleMap: how many granules, and where their words lie.
constexpr uint32_t kMapOffset = 8, kGranuleMapBytes = 16;
constexpr uint64_t kFewestGranules = 4, kMostGranules = 1 << 24, kPage = 4096;

uint64_t word_of(const VmTables& tables, const std::string& globals, const char* field) {
  const auto instance = tables.address(globals.c_str(), "_instance_p");
  const auto offset = tables.offset(globals.c_str(), field);
  return instance && offset ? u64_at(u64_at(*instance) + *offset) : 0;
}

uint64_t heap_of(const VmTables& tables, const std::string& prefix) {
  const auto collected = tables.address("Universe", "_collectedHeap");
  const auto offset = tables.offset((prefix + "CollectedHeap").c_str(), "_heap");
  return collected && offset ? u64_at(*collected) + *offset : 0;
}

struct GranuleMap {
  uint64_t granules = 0, words = 0;
};

// Mapped whole, by itself.
bool is_map(const GranuleMap& map) {
  uint64_t word = 0;
  return map.granules >= kFewestGranules && map.granules <= kMostGranules && map.words % kPage == 0 &&
         load64(map.words, word) && load64(map.words + 8 * (map.granules - 1), word);
}

// Behind the page table there are two maps of one size, those of the generations.
void find_maps(const VmTables& tables, uint64_t heap, Layout::Zgc& zgc) {
  const auto pages = tables.offset("ZHeap", "_page_table"), bytes = tables.size("ZHeap");
  if (!pages || !bytes) return;
  std::vector<GranuleMap> maps;
  for (uint64_t at = *pages + kGranuleMapBytes; at + kGranuleMapBytes <= *bytes; at += 8) {
    const GranuleMap map{u64_at(heap + at), u64_at(heap + at + kMapOffset)};
    if (is_map(map)) maps.push_back(map);
  }
  std::erase_if(maps, [&, all = maps](const GranuleMap& map) {
    return std::ranges::count(all, map.granules, &GranuleMap::granules) != 2;
  });
  if (maps.size() == 2) zgc.maps[kOld] = maps[0].words, zgc.maps[kYoung] = maps[1].words;
}

void load_forwarding(const VmTables& tables, const std::string& prefix, Layout::Zgc& zgc) {
  const std::string type = prefix + "Forwarding";
  const auto region = tables.offset(type.c_str(), "_virtual");
  const auto shift = tables.offset(type.c_str(), "_object_alignment_shift");
  const auto entries = tables.offset(type.c_str(), "_entries");
  const auto length = tables.offset((prefix + "AttachedArrayForForwarding").c_str(), "_length");
  const auto size = tables.size(type.c_str());
  const auto granule = tables.constant((prefix + "GranuleSizeShift").c_str());
  if (!region || !shift || !entries || !length || !size || !granule) return;
  zgc.start = static_cast<uint32_t>(*region);
  zgc.shift = static_cast<uint32_t>(*shift);
  zgc.length = static_cast<uint32_t>(*entries + *length);
  zgc.granule_shift = static_cast<uint32_t>(*granule);
  zgc.forwarding_size = *size;
}

void load_pages(const VmTables& tables, uint64_t heap, Layout::Zgc& zgc) {
  const auto pages = tables.offset("ZHeap", "_page_table");
  const auto start = tables.offset("ZPage", "_virtual"), sequence = tables.offset("ZPage", "_seqnum");
  if (!pages || !start || !sequence) return;
  zgc.pages = u64_at(heap + *pages + kMapOffset);
  zgc.page_start = static_cast<uint32_t>(*start);
  zgc.page_sequence = static_cast<uint32_t>(*sequence);
}

// ZHash::uint32_to_uint32
uint32_t hash_of(uint32_t key) {
  key = ~key + (key << 15);
  key ^= key >> 12;
  key += key << 2;
  key ^= key >> 4;
  key *= 2057;
  return key ^ key >> 16;
}

uint64_t forwarding_at(const Layout::Zgc& zgc, int generation, uint64_t offset) {
  return u64_at(zgc.maps[generation] + 8 * (offset >> zgc.granule_shift));
}

// Offset in the heap. An object that is not in the table has not been moved yet.
bool moved_to(const Layout::Zgc& zgc, uint64_t forwarding, uint64_t offset, uint64_t& to) {
  const uint64_t length = u64_at(forwarding + zgc.length), shift = u64_at(forwarding + zgc.shift);
  const uint64_t start = u64_at(forwarding + zgc.start);
  if (!std::has_single_bit(length) || shift > 32 || offset < start) return false;
  const uint64_t from = (offset - start) >> shift;
  uint64_t cursor = hash_of(static_cast<uint32_t>(from)) & (length - 1);
  for (int i = 0; i < kMaxProbes; ++i, cursor = (cursor + 1) & (length - 1)) {
    const uint64_t entry = u64_at(forwarding + zgc.forwarding_size + 8 * cursor);
    if ((entry & 1) == 0) return to = offset, true;
    if (entry >> 46 == from) return to = entry >> 1 & ((1ull << 45) - 1), true;
  }
  return false;
}

// The generation whose moves the reference has not seen; -1: its colours tell nothing.
int generation_of(const Layout::Zgc& zgc, uint64_t reference, uint64_t offset) {
  const int now = colour_of(u64_at(zgc.good_colours)), then = colour_of(reference);
  if (now < 0 || then < 0) return -1;
  const bool young = ((now ^ then) & 1) != 0, old = ((now ^ then) & 2) != 0;
  if (!young || !old) return young ? kYoung : kOld;
  if ((reference & kRemembered) == kRemembered) return kOld;
  return forwarding_at(zgc, kYoung, offset) != 0 ? kYoung : kOld;
}

}  // namespace

int colour_of(uint64_t reference) {
  const auto bits = static_cast<uint32_t>(reference >> kRemappedShift & 15);
  return std::has_single_bit(bits) ? std::countr_zero(bits) : -1;
}

bool remap(const Layout::Zgc& zgc, uint64_t reference, uint64_t address, bool generational, uint64_t& to) {
  const uint64_t offset = address & zgc.offset_mask;
  if (zgc.maps[kOld] == 0 || zgc.forwarding_size == 0 || zgc.offset_mask == 0) return false;
  const int generation = generational ? generation_of(zgc, reference, offset) : kOld;
  if (generation < 0) return false;
  const uint64_t forwarding = forwarding_at(zgc, generation, offset);
  uint64_t moved = offset;
  if (forwarding != 0 && !moved_to(zgc, forwarding, offset, moved)) return false;
  to = (address & ~zgc.offset_mask) | moved;
  return true;
}

uint64_t moved_from(const Layout::Zgc& zgc, int generation, uint64_t address) {
  const uint64_t offset = address & zgc.offset_mask;
  if (zgc.maps[generation] == 0 || zgc.forwarding_size == 0 || zgc.offset_mask == 0) return 0;
  const uint64_t forwarding = forwarding_at(zgc, generation, offset);
  uint64_t moved = offset;
  if (forwarding == 0 || !moved_to(zgc, forwarding, offset, moved) || moved == offset) return 0;
  return (address & ~zgc.offset_mask) | moved;
}

void load_zgc(const VmTables& tables, Layout::Zgc& zgc) {
  // The generational one; the one before it, as it was called beside it and up to 20.
  constexpr struct {
    const char* prefix;
    bool generational;
  } kCollectors[] = {{"Z", true}, {"X", false}, {"Z", false}};
  for (const auto& [prefix, generational] : kCollectors) {
    const std::string globals = std::string(prefix) + "GlobalsForVMStructs", field = std::string("_") + prefix;
    const auto word = [&](const char* name) { return word_of(tables, globals, (field + name).c_str()); };
    zgc.bad_colours = word(generational ? "PointerLoadBadMask" : "AddressWeakBadMask");
    zgc.good_colours = word(generational ? "PointerLoadGoodMask" : "AddressGoodMask");
    if (zgc.bad_colours == 0 || u64_at(zgc.bad_colours) == 0) {  // the mask of a collector that does not run stays 0
      zgc = {};
      continue;
    }
    zgc.offset_mask = u64_at(word("AddressOffsetMask"));
    const uint64_t heap = heap_of(tables, prefix);
    load_forwarding(tables, prefix, zgc);
    const auto single = tables.offset((std::string(prefix) + "Heap").c_str(), "_forwarding_table");
    if (heap != 0 && generational) find_maps(tables, heap, zgc), load_pages(tables, heap, zgc);
    if (heap != 0 && !generational && single) zgc.maps[kOld] = u64_at(heap + *single + kMapOffset);
    return;
  }
}

}  // namespace rec::agent
