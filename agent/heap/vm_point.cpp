// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/vm_point.h"

namespace rec::agent {
namespace {

constexpr int64_t kVmInterval = 512 * 1024;  // until it is told another one
constexpr uint64_t kSmall = 64;              // such numbers stand in many places, and prove nothing

std::atomic_ref<uint64_t> word_at(uint64_t address) { return std::atomic_ref(*reinterpret_cast<uint64_t*>(address)); }

}  // namespace

void VmPoint::prove(uint64_t java_thread, int64_t interval) {
  if (tries_.load(std::memory_order_relaxed) <= 0 || tries_.fetch_sub(1, std::memory_order_relaxed) <= 0) return;
  const uint64_t sampler = java_thread + offset_, point = word_at(sampler).load(std::memory_order_relaxed);
  const bool proves = point >= kSmall && (is_first_point_of_vm(sampler, point, interval) ||
                                          is_first_point_of_vm(sampler, point, kVmInterval));
  if (proves) proofs_.fetch_add(1, std::memory_order_relaxed);
}

void VmPoint::set(uint64_t java_thread, uint64_t point) const {
  word_at(java_thread + offset_).store(point, std::memory_order_relaxed);
}

}  // namespace rec::agent
