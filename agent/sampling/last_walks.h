// SPDX-License-Identifier: Apache-2.0
// LastWalks keeps what the last walks of threads met, for the next one of the same thread (last_walk.h). A place holds
// one thread's; where two want the same, the later one finds nothing and begins anew. So memory does not grow with the
// number of threads, and where many more run than there are places, walks take as long as they would without. Reserved
// address space: only what walks have touched takes memory. For handlers, but for resize().
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "agent/hotspot/walk/last_walk.h"

namespace rec::agent {

class LastWalks {
 public:
  static constexpr uint32_t kPlaces = 256;

  // depth: frames of a walk. Waits for the walks that are under way; those that begin meanwhile find no place. False when
  // there is no address space, or a walk does not end; walks then do without, or with less. Ordinary threads, one at a
  // time.
  bool resize(uint32_t depth);

  struct Loan {
    LastWalk* walk = nullptr;  // null: nothing may be kept of this walk
    uint32_t place = 0;
  };
  // owner: the same for each walk of a thread, and no other thread's.
  Loan try_take(const void* owner);
  void give_back(const Loan& loan);

 private:
  struct Place {
    std::atomic<bool> busy{true};
    const void* owner = nullptr;
    std::unique_ptr<LastWalk> walk;
  };
  bool take_all();

  std::array<Place, kPlaces> places_;
  std::byte* memory_ = nullptr;
  size_t bytes_ = 0;
  uint32_t depth_ = 0;
};

}  // namespace rec::agent
