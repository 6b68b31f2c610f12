// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/critical_slot.h"

#include <array>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/state/critical_words.h"
#include "agent/hotspot/vm/layout.h"
#include "agent/hotspot/vm/vm_tables.h"

namespace rec::agent {
namespace {

constexpr uint64_t kLikelySize = 2048;  // of a JavaThread whose size is not exported
constexpr size_t kDeepest = 2;          // the picture where the thread is twice inside

std::vector<uint32_t> picture(uint64_t address, uint64_t size) {
  std::vector<uint32_t> words(size / 4);
  for (size_t i = 0; i < words.size(); ++i) words[i] = u32_at(address + 4 * i);
  return words;
}

}  // namespace

// One may go inside again while inside; nothing else is asked of the VM meanwhile.
std::vector<uint32_t> find_critical_slots(JNIEnv* jni, uint64_t java_thread) {
  const auto tables = VmTables::open();
  const uint64_t size = tables ? tables->size("JavaThread").value_or(kLikelySize) : kLikelySize;
  jbyteArray array = java_thread == 0 ? nullptr : jni->NewByteArray(8);
  if (array == nullptr) return jni->ExceptionClear(), std::vector<uint32_t>{};
  std::array<std::vector<uint32_t>, std::size(kDepths)> pictures;
  void* inside[kDeepest] = {};
  pictures[0] = picture(java_thread, size);
  for (size_t i = 0; i < kDeepest; ++i) {
    inside[i] = jni->GetPrimitiveArrayCritical(array, nullptr);
    pictures[i + 1] = picture(java_thread, size);
  }
  for (size_t i = kDeepest; i > 0; --i) {
    if (inside[i - 1] != nullptr) jni->ReleasePrimitiveArrayCritical(array, inside[i - 1], JNI_ABORT);
    pictures[2 * kDeepest + 1 - i] = picture(java_thread, size);
  }
  jni->DeleteLocalRef(array);
  return slots_that_counted(pictures);
}

}  // namespace rec::agent
