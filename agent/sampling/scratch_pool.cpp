// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/scratch_pool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace rec::agent {
namespace {

constexpr size_t kPage = 4096;
constexpr int kMaxTries = 16;
constexpr int kMaxScratchWaits = 2000;  // of a millisecond

// Null: there is no address space.
std::byte* reserve(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

}  // namespace

// Of the rows the first alone is made anew: those that threads need come back by provide().
bool ScratchPool::resize(uint32_t depth) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (depth == depth_) return true;
  const size_t stride = (depth * (sizeof(RawFrame) + sizeof(Frame)) + kPage - 1) / kPage * kPage;
  std::byte* memory = reserve(stride * kInRow);
  if (memory == nullptr) return false;
  if (!take_all()) return munmap(memory, stride * kInRow), false;
  for (Row& row : rows_)
    if (row.memory != nullptr) munmap(std::exchange(row.memory, nullptr), row_bytes());
  depth_ = depth;
  stride_ = stride;
  rows_[0].memory = memory;
  open(rows_[0]);
  return true;
}

void ScratchPool::provide(size_t walks) {
  const size_t wanted = std::min((walks + kInRow - 1) / kInRow, kRows);
  if (open_rows_.load(std::memory_order_relaxed) >= wanted) return;
  const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
  while (lock.owns_lock() && depth_ != 0 && open_rows_.load(std::memory_order_relaxed) < wanted) {
    Row& row = rows_[open_rows_.load(std::memory_order_relaxed)];
    row.memory = reserve(row_bytes());
    if (row.memory == nullptr) return;
    open(row);
  }
}

void ScratchPool::open(Row& row) {
  // release: pairs with the acquire in take_of(), which then finds the row's memory, and the depth.
  row.busy.store(0, std::memory_order_release);
  open_rows_.fetch_add(1, std::memory_order_relaxed);
}

// A walk takes microseconds; a thread that is stopped in the middle of one may take for ever. Then all is as it was.
bool ScratchPool::take_all() {
  const size_t all = open_rows_.exchange(0, std::memory_order_relaxed);  // who has not begun finds none
  size_t taken = 0;
  for (int i = 0; i < kMaxScratchWaits && taken < all; ++i) {
    while (taken < all && take(rows_[taken])) ++taken;
    if (taken < all) usleep(1000);
  }
  if (taken == all) return true;
  // release: pairs with the acquire in take_of(), as in open().
  while (taken > 0) rows_[--taken].busy.store(0, std::memory_order_release);
  open_rows_.store(all, std::memory_order_relaxed);
  return false;
}

// Whether nobody has a buffer of it. Then nobody gets one.
bool ScratchPool::take(Row& row) {
  uint64_t none = 0;
  // acquire: pairs with the release in give_back(): nobody writes to the row's buffers any more.
  return row.busy.compare_exchange_strong(none, kAllBusy, std::memory_order_acquire, std::memory_order_relaxed);
}

ScratchPool::Scratch ScratchPool::try_take() {
  const size_t open = open_rows_.load(std::memory_order_relaxed);
  for (size_t row = 0; row < open; ++row)
    if (const Scratch scratch = take_of(row)) return scratch;
  return {};
}

ScratchPool::Scratch ScratchPool::take_of(size_t number) {
  Row& row = rows_[number];
  uint64_t busy = row.busy.load(std::memory_order_relaxed);
  for (int i = 0; i < kMaxTries && busy != kAllBusy; ++i) {
    const int bit = std::countr_one(busy);  // the lowest free one: few buffers are ever touched
    // acquire: pairs with the releases in give_back() and open().
    if (!row.busy.compare_exchange_weak(busy, busy | uint64_t{1} << bit, std::memory_order_acquire,
                                        std::memory_order_relaxed))
      continue;
    std::byte* buffer = row.memory + stride_ * static_cast<size_t>(bit);
    return {static_cast<int>(number * kInRow) + bit,
            {reinterpret_cast<RawFrame*>(buffer), depth_},
            reinterpret_cast<Frame*>(buffer + depth_ * sizeof(RawFrame))};
  }
  return {};
}

}  // namespace rec::agent
