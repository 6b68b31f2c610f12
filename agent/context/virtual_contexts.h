// SPDX-License-Identifier: Apache-2.0
// VirtualContexts holds the contexts of virtual threads, by their ids: one that is opened on a virtual thread stays that
// one's, on whichever carrier it runs, and is never another's. Ids are not used again (Thread::threadId()).
//
//   id --stirred--> bucket of kPlaces:   | id | id | 0 | id | ...   and a ContextCell for each
//
// A virtual thread enters and leaves its own id only, so that it finds what it has entered; a place is its own from the
// exchange that takes it to the store that gives it back. One that has ended is left by another thread, which is told by its
// Java object (agent/java/rec/Ended.java). Looking is a walk over one bucket, whether it is there or not.
//
// Full is possible: the bucket of an id may be. The caller counts Note::kContextsRefused. One that ends with a context that C
// has set, and has no such object, keeps its place for good.
//
// Signal-safe, but for the first write(), which reserves the pages. One for the life of the process.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/context/context_cell.h"

namespace rec::agent {

class VirtualContexts {
 public:
  static constexpr size_t kBuckets = 1 << 12, kPlaces = 16;  // 65,536 at a time; 2.5 MiB, where they are used

  // The virtual thread itself, or of one that has ended. An empty context gives the place back. False: there is no room, and it has none now.
  bool write(int64_t id, const RequestContext& context) {
    if (!used() && (!context || !reserve())) return !context;
    Bucket& bucket = bucket_of(id);
    size_t place = find(bucket, id);
    if (!context) return place == kPlaces || leave(bucket, place);
    if (place == kPlaces) place = enter(bucket, id);
    if (place == kPlaces) return false;
    bucket.cells[place].write(context);
    return true;
  }

  bool read(int64_t id, RequestContext& to) const {
    if (!used()) return false;
    const Bucket& bucket = bucket_of(id);
    const size_t place = find(bucket, id);
    return place != kPlaces && bucket.cells[place].read(to) && bucket.ids[place].load(std::memory_order_relaxed) == id;
  }

  // Whether any virtual thread ever had one. If not, nobody needs to know which one runs.
  // acquire: pairs with the release in reserve().
  bool used() const { return buckets_.load(std::memory_order_acquire) != nullptr; }

 private:
  struct alignas(64) Bucket {
    std::array<std::atomic<int64_t>, kPlaces> ids{};
    std::array<ContextCell, kPlaces> cells{};
  };

  static size_t index_of(int64_t id) { return static_cast<uint64_t>(id) * 0x9E3779B97F4A7C15u >> 52; }
  static_assert(kBuckets == size_t{1} << (64 - 52));
  // acquire: pairs with the release in reserve().
  Bucket& bucket_of(int64_t id) const { return buckets_.load(std::memory_order_acquire)[index_of(id)]; }

  static size_t find(const Bucket& bucket, int64_t id) {
    size_t place = 0;
    // acquire: pairs with the release in leave(): what the place had before is cleared.
    while (place < kPlaces && bucket.ids[place].load(std::memory_order_acquire) != id) ++place;
    return place;
  }
  static size_t enter(Bucket& bucket, int64_t id) {
    for (size_t place = 0; place < kPlaces; ++place) {
      int64_t free = 0;
      // acq_rel: pairs with the release in leave(), and with this exchange in who wants the same place.
      if (bucket.ids[place].compare_exchange_strong(free, id, std::memory_order_acq_rel)) return place;
    }
    return kPlaces;
  }
  static bool leave(Bucket& bucket, size_t place) {
    bucket.cells[place].write({});
    // release: pairs with the acquires in find() and enter(): the cell is clear.
    bucket.ids[place].store(0, std::memory_order_release);
    return true;
  }

  bool reserve();  // false: the system has no address space left

  std::atomic<Bucket*> buckets_{nullptr};
};

}  // namespace rec::agent
