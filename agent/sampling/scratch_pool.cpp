// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/scratch_pool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cassert>

namespace rec::agent {
namespace {

constexpr size_t kPage = 4096;
constexpr int kMaxTries = 16;
constexpr int kMaxScratchWaits = 2000;  // of a millisecond

}  // namespace

bool ScratchPool::resize(uint32_t depth) {
  if (depth == depth_) return true;
  if (memory_ != nullptr && !take_all()) return false;
  const bool replaced = replace(depth);
  // release: pairs with the acquire in try_take(), which then finds the new memory and depth.
  if (memory_ != nullptr) busy_.store(0, std::memory_order_release);
  return replaced;
}

// A walk takes microseconds; a thread that is stopped in the middle of one may take for ever.
bool ScratchPool::take_all() {
  for (int i = 0; i < kMaxScratchWaits; ++i) {
    uint64_t none = 0;
    // acquire: pairs with the release in give_back(): nobody writes to the buffers any more.
    if (busy_.compare_exchange_strong(none, kAllBusy, std::memory_order_acquire, std::memory_order_relaxed))
      return true;
    usleep(1000);
  }
  return false;
}

bool ScratchPool::replace(uint32_t depth) {
  assert(busy_.load(std::memory_order_relaxed) == kAllBusy && "nobody walks in what goes away");
  const size_t stride = (depth * (sizeof(RawFrame) + sizeof(Frame)) + kPage - 1) / kPage * kPage;
  void* memory =
      mmap(nullptr, stride * kBuffers, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  if (memory_ != nullptr) munmap(memory_, stride_ * kBuffers);
  memory_ = static_cast<std::byte*>(memory);
  depth_ = depth;
  stride_ = stride;
  return true;
}

ScratchPool::Scratch ScratchPool::try_take() {
  uint64_t busy = busy_.load(std::memory_order_relaxed);
  for (int i = 0; i < kMaxTries && busy != kAllBusy; ++i) {
    const int index = std::countr_one(busy);  // the lowest free one: few buffers are ever touched
    // acquire: pairs with the releases in give_back() and resize().
    if (!busy_.compare_exchange_weak(busy, busy | 1ull << index, std::memory_order_acquire, std::memory_order_relaxed))
      continue;
    std::byte* buffer = memory_ + stride_ * static_cast<size_t>(index);
    return {index,
            {reinterpret_cast<RawFrame*>(buffer), depth_},
            reinterpret_cast<Frame*>(buffer + depth_ * sizeof(RawFrame))};
  }
  return {};
}

}  // namespace rec::agent
