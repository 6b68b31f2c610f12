// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/last_walks.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cassert>

namespace rec::agent {
namespace {

constexpr size_t kMapUnit = 4096;
constexpr int kMaxWaits = 2000;  // of a millisecond, for all places together

uint32_t place_of(const void* owner) {
  static_assert(LastWalks::kPlaces == 1 << (64 - 56));
  return static_cast<uint32_t>(reinterpret_cast<uint64_t>(owner) * 0x9e3779b97f4a7c15ull >> 56);
}

}  // namespace

bool LastWalks::resize(uint32_t depth) {
  if (depth == depth_) return true;
  if (memory_ != nullptr && !take_all()) return false;
  if (memory_ != nullptr) munmap(memory_, bytes_);
  const size_t stride = (LastWalk::bytes_for(depth) + kMapUnit - 1) / kMapUnit * kMapUnit;
  void* memory =
      mmap(nullptr, stride * kPlaces, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  memory_ = memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
  depth_ = memory_ == nullptr ? 0 : depth;
  bytes_ = stride * kPlaces;
  if (memory_ == nullptr) return false;
  for (uint32_t i = 0; i < kPlaces; ++i) {
    places_[i].owner = nullptr;
    places_[i].walk = std::make_unique<LastWalk>(memory_ + stride * i, depth);
    // release: pairs with the acquire in try_take(), which then finds the new memory.
    places_[i].busy.store(false, std::memory_order_release);
  }
  return true;
}

// A walk takes microseconds; a thread that is stopped in the middle of one may take for ever.
bool LastWalks::take_all() {
  int waits = 0;
  for (uint32_t i = 0; i < kPlaces; ++i) {
    // acquire: pairs with the release in give_back(): nobody writes there any more.
    while (places_[i].busy.exchange(true, std::memory_order_acquire)) {
      if (++waits > kMaxWaits) {
        while (i-- > 0) places_[i].busy.store(false, std::memory_order_release);  // pairs as in resize()
        return false;
      }
      usleep(1000);
    }
  }
  return true;
}

LastWalks::Loan LastWalks::try_take(const void* owner) {
  const uint32_t index = place_of(owner);
  Place& place = places_[index];
  // acquire: pairs with the releases in give_back() and resize().
  if (place.busy.exchange(true, std::memory_order_acquire)) return {};
  if (place.owner != owner) place.walk->forget();
  place.owner = owner;
  return {place.walk.get(), index};
}

void LastWalks::give_back(const Loan& loan) {
  if (loan.walk == nullptr) return;
  assert(places_[loan.place].busy.load(std::memory_order_relaxed) && "a place comes back once");
  // release: pairs with the acquires in try_take() and take_all().
  places_[loan.place].busy.store(false, std::memory_order_release);
}

}  // namespace rec::agent
