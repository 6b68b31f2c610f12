// SPDX-License-Identifier: Apache-2.0
// The point at which the VM samples a thread next, in bytes that the thread has yet to allocate: where it stands, what the
// VM draws for a new thread, and what it should draw.
//
// It is the first word of Thread::_heap_sampler, right behind Thread::_allocated_bytes, which the VM's tables have
// (src/hotspot/share/runtime/thread.hpp, threadHeapSampler.hpp: _bytes_until_sample in 17 and 21, _sample_threshold since
// 25). The VM has one generator for all threads; the sampler of each new thread seeds it with the lower half of its own
// address, and draws its first point from that. So threads that come to lie at the same place, as short ones do, have the
// same first point, and whoever draws next has the same one behind it.
//
// Only the thread itself reads and writes its point, and only it may call prove() and set().
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "agent/heap/allocation_weight.h"
#include "agent/sampling/exponential.h"

namespace rec::agent {

// A point of a Poisson process: an object of `size` bytes has size >= point with the chance 1 - exp(-size / interval).
inline uint64_t point_by_chance(int64_t interval, uint64_t random) {
  return static_cast<uint64_t>(exponential(random) * static_cast<double>(interval)) + 1;
}

// Whether that is, to two bytes, the first one of the sampler at that address (threadHeapSampler.cpp): -ln u * interval,
// where u has 26 bits of lrand48's generator, and is the middle of its step of 1,024 from one power of 2 to the next.
inline bool is_first_point_of_vm(uint64_t sampler, uint64_t point, int64_t interval) {
  constexpr int kBits = 26, kStepBits = 10;
  constexpr uint64_t kModulus = uint64_t{1} << 48;
  const uint64_t half = static_cast<uint32_t>(sampler), seed = half != 0 ? half : 1;
  const uint64_t drawn = (((0x5DEECE66D * seed + 0xB) % kModulus) >> (48 - kBits)) + 1;
  const int exponent = std::bit_width(drawn) - 1;
  if (exponent >= kBits || point == 0) return false;
  const uint64_t step = drawn << (63 - exponent) >> (63 - kStepBits);
  const double expected =
      static_cast<double>((2 * step + 1) << exponent) / static_cast<double>(uint64_t{2} << (kBits + kStepBits));
  const double intervals = static_cast<double>(point - 1) / static_cast<double>(interval);
  const double off = (1 - sampled_share(intervals)) / expected - 1;
  return off * static_cast<double>(interval) < 2 && off * static_cast<double>(interval) > -2;
}

class VmPoint {
 public:
  // Ordinary thread, before the others. allocated: where a thread has Thread::_allocated_bytes.
  void open(uint32_t allocated) { offset_ = allocated + sizeof(int64_t); }
  bool known() const { return proofs_.load(std::memory_order_relaxed) >= kProofs; }
  // By a new thread: a proof is that the point is there that the VM draws for that address by this interval, or by its own.
  // A thread that has allocated something may have none. When many had none, nobody is asked any more.
  void prove(uint64_t java_thread, int64_t interval);
  void set(uint64_t java_thread, uint64_t point) const;  // known()

 private:
  static constexpr int kProofs = 2;

  uint64_t offset_ = 0;  // of the sampler in a JavaThread
  std::atomic<int> proofs_{0}, tries_{256};
};

}  // namespace rec::agent
