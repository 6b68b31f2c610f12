// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/kernel_chain.h"

#include <linux/perf_event.h>
#include <sys/mman.h>

#include <algorithm>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/walk/library_numbers.h"
#include "agent/hotspot/walk/raw_frame.h"
#include "agent/process/page_size.h"
#include "recorder/symbols/kernel_symbols.h"

namespace rec::agent {
namespace {

// What lies at a distance from data_head: behind the page's end it goes on at its begin.
uint64_t word_at(uint64_t data, uint64_t at) { return u64_at(data + (at & (kPageBytes - 1))); }

bool is_mark(uint64_t address) { return address >= static_cast<uint64_t>(PERF_CONTEXT_MAX); }

}  // namespace

KernelLibrary kernel_library() { return {number_library(kKernelPath, boot_id()), KernelSymbols::are_readable()}; }

size_t KernelChain::read(KernelLibrary kernel, std::span<uint64_t> methods) {
  size_t count = read_addresses(methods);
  if (!kernel.is_named) count = std::min<size_t>(count, 1);
  for (uint64_t& each : methods.first(count))
    each = native_method(kernel.number,
                         kernel.is_named ? KernelSymbols::place_of(each) : uint64_t{KernelSymbols::kNotNamed});
  return count;
}

bool KernelChain::map(int fd) {
  void* const pages = mmap(nullptr, 2 * kPageBytes, PROT_READ, MAP_SHARED, fd, 0);
  if (pages == MAP_FAILED) return false;
  read_to_ = 0;
  mapped_.store(reinterpret_cast<uint64_t>(pages), std::memory_order_relaxed);
  return true;
}

void KernelChain::unmap() {
  const uint64_t pages = mapped_.exchange(0, std::memory_order_relaxed);
  if (pages != 0) munmap(reinterpret_cast<void*>(pages), 2 * kPageBytes);
}

size_t KernelChain::read_addresses(std::span<uint64_t> addresses) {
  const uint64_t pages = mapped_.load(std::memory_order_relaxed);
  if (pages == 0) return 0;
  const uint64_t head = u64_at(pages + offsetof(perf_event_mmap_page, data_head));
  if (head == read_to_) return 0;
  read_to_ = head;
  const uint64_t header = word_at(pages + kPageBytes, head);
  if (static_cast<uint32_t>(header) != PERF_RECORD_SAMPLE) return 0;
  const uint64_t count = word_at(pages + kPageBytes, head + 8);
  size_t found = 0;
  for (uint64_t i = 0; i < count && i < kMostFrames && found < addresses.size(); ++i) {
    const uint64_t address = word_at(pages + kPageBytes, head + 16 + 8 * i);
    if (!is_mark(address)) addresses[found++] = address;
  }
  return found;
}

}  // namespace rec::agent
