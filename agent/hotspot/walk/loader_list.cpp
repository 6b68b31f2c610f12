// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/loader_list.h"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <atomic>
#include <cstddef>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {
namespace {

constexpr size_t kMostRecords = 4096;
constexpr size_t kFewestRecords = 4;       // that tell where the number stands
constexpr uint64_t kLargestRecord = 2048;  // bytes; glibc 2.36 has the number at 1,184
constexpr uint64_t kMostLoads = uint64_t{1} << 32;

// Where in a record the number stands; 0: not known. Found once, and then it stays.
constinit std::atomic<uint64_t> serial_offset{0};

uint64_t address_of(const link_map* record) { return reinterpret_cast<uint64_t>(record); }

// The loader itself has loaded nothing of itself: it stands in its own list without a number.
bool is_loader(const link_map& record) { return record.l_addr != 0 && record.l_addr == getauxval(AT_BASE); }

bool rises_at(const std::vector<const link_map*>& records, uint64_t offset) {
  uint64_t next = 0;
  size_t count = 0;
  for (const link_map* record : records) {
    if (is_loader(*record)) continue;
    uint64_t serial = 0;
    if (!load64(address_of(record) + offset, serial) || serial < next || serial > kMostLoads) return false;
    next = serial + 1;
    ++count;
  }
  return count >= kFewestRecords;
}

uint64_t look_for_serials(const std::vector<const link_map*>& records) {
  uint64_t found = 0;
  for (uint64_t offset = sizeof(link_map); offset < kLargestRecord; offset += sizeof(uint64_t)) {
    if (!rises_at(records, offset)) continue;
    if (found != 0) return 0;
    found = offset;
  }
  return found;
}

}  // namespace

const link_map* first_record() {
  static const auto* const told = static_cast<const r_debug*>(dlsym(RTLD_DEFAULT, "_r_debug"));  // to debuggers
  return told == nullptr ? nullptr : told->r_map;
}

LoaderList::LoaderList(const link_map* first) {
  for (const link_map* each = first; each != nullptr && records_.size() < kMostRecords; each = each->l_next)
    records_.push_back(each);
  // Says nothing of other memory: relaxed.
  if (serial_offset.load(std::memory_order_relaxed) == 0)
    serial_offset.store(look_for_serials(records_), std::memory_order_relaxed);
}

LibraryLoad LoaderList::load_of(const dl_phdr_info& info) const {
  const uint64_t offset = serial_offset.load(std::memory_order_relaxed);
  for (const link_map* record : records_)
    if (offset != 0 && record->l_addr == info.dlpi_addr && record->l_name == info.dlpi_name &&
        record->l_prev != nullptr)
      return {address_of(record), u64_at(address_of(record) + offset)};
  return {};
}

// A record that is gone may still stand in memory as it was; but who is before it in the list no longer leads to it.
bool is_still_loaded(const LibraryLoad& load) {
  if (!load) return true;
  const uint64_t before = u64_at(load.record + offsetof(link_map, l_prev));
  return u64_at(before + offsetof(link_map, l_next)) == load.record &&
         u64_at(load.record + serial_offset.load(std::memory_order_relaxed)) == load.serial;
}

}  // namespace rec::agent
