// SPDX-License-Identifier: Apache-2.0
// A ContextCell holds what one thread has told of its request: trace, span, and the number of the span's name. The thread
// itself writes; its own handler may come at any moment, and others may look.
//
//   +----------------------+---------+------------------------+------+
//   | trace id             | span id | is set | times written | name |
//   +----------------------+---------+------------------------+------+
//   0                      16        24                       28     32
//
// The last word is cleared first and stored last. Who has read the same word there before and after, and it says "is set",
// has read a whole context; the count tells two writings of equal names apart.
//
// Signal-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rec::agent {

// Ids as their bytes stand in memory, in the order of W3C Trace Context; zeros: none. name: SpanNames; 0: none.
struct RequestContext {
  std::array<uint64_t, 2> trace{};
  uint64_t span = 0;
  uint32_t name = 0;
  explicit operator bool() const { return (trace[0] | trace[1] | span) != 0 || name != 0; }
  friend bool operator==(const RequestContext&, const RequestContext&) = default;
};

class ContextCell {
 public:
  // The thread itself, outside of handlers. An empty context clears.
  void write(const RequestContext& context) {
    const uint64_t count = (words_[kLast].load(std::memory_order_relaxed) + kOnce) & kCountMask;
    words_[kLast].store(count, std::memory_order_relaxed);
    if (!context) return;
    std::atomic_thread_fence(std::memory_order_release);  // pairs with the fence in read(): who sees new ids sees this
    words_[0].store(context.trace[0], std::memory_order_relaxed);
    words_[1].store(context.trace[1], std::memory_order_relaxed);
    words_[2].store(context.span, std::memory_order_relaxed);
    // release: pairs with the acquire in read(): the ids are whole.
    words_[kLast].store(uint64_t{context.name} << kNameShift | count | kIsSet, std::memory_order_release);
  }

  // Any thread, also in a handler. False: there is none, or it is just being written.
  bool read(RequestContext& to) const {
    // acquire: pairs with the release in write().
    const uint64_t last = words_[kLast].load(std::memory_order_acquire);
    if ((last & kIsSet) == 0) return false;
    std::array<uint64_t, kWords> words;
    for (size_t i = 0; i < kLast; ++i) words[i] = words_[i].load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);  // pairs with the fence in write()
    words[kLast] = last;
    return words_[kLast].load(std::memory_order_relaxed) == last && take(words, to);
  }

  // Likewise, of a cell that may be gone: load(n, word) gives its n-th word, or false.
  template <typename Load>
  static bool read_by(Load load, RequestContext& to) {
    std::array<uint64_t, kWords> words{};
    uint64_t again = 0;
    if (!load(kLast, words[kLast]) || (words[kLast] & kIsSet) == 0) return false;
    std::atomic_thread_fence(std::memory_order_acquire);  // pairs with the release in write(): the ids are whole
    for (size_t i = 0; i < kLast; ++i)
      if (!load(i, words[i])) return false;
    std::atomic_thread_fence(std::memory_order_acquire);  // pairs with the fence in write()
    return load(kLast, again) && again == words[kLast] && take(words, to);
  }

 private:
  static constexpr size_t kWords = 4, kLast = 3;
  static constexpr uint64_t kIsSet = 1, kOnce = 2, kCountMask = 0xffff'fffe;
  static constexpr unsigned kNameShift = 32;

  static bool take(const std::array<uint64_t, kWords>& words, RequestContext& to) {
    to = {{words[0], words[1]}, words[2], static_cast<uint32_t>(words[kLast] >> kNameShift)};
    return true;
  }

  std::array<std::atomic<uint64_t>, kWords> words_{};
};
static_assert(sizeof(ContextCell) == 32, "two in a cache line");

}  // namespace rec::agent
