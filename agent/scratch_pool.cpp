// SPDX-License-Identifier: Apache-2.0
#include "agent/scratch_pool.h"

#include <sys/mman.h>

#include <bit>

namespace rec::agent {
namespace {

constexpr size_t kPage = 4096;
constexpr int kMaxTries = 16;

}  // namespace

bool ScratchPool::create(uint32_t depth) {
  depth_ = depth;
  stride_ = (depth * (sizeof(RawFrame) + sizeof(Frame)) + kPage - 1) / kPage * kPage;
  void* memory =
      mmap(nullptr, stride_ * kBuffers, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  memory_ = static_cast<std::byte*>(memory);
  return true;
}

ScratchPool::Scratch ScratchPool::try_take() {
  uint64_t busy = busy_.load(std::memory_order_relaxed);
  for (int i = 0; i < kMaxTries && busy != ~0ull; ++i) {
    const int index = std::countr_one(busy);  // the lowest free one: few buffers are ever touched
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
