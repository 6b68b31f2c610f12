// SPDX-License-Identifier: Apache-2.0
// CriticalWords reads whether a collection is held up by threads inside JNI critical sections
// (GetPrimitiveArrayCritical, GetStringCritical), who is inside, and who waits. Only where libjvm.so has its symbols.
//
//   GCLocker::_needs_gc               to 23: a collection found a thread inside, in its safepoint, and gave up. Threads that
//                                     allocate, or want to go inside, wait for the last one to leave, which collects
//   GCLocker::_is_gc_request_pending  from 24 on: who asks for a collection waits, before its safepoint, for those inside
//                                     to leave; who wants to go inside waits until the collection is over
//   ZJNICritical::_count              the generational ZGC, likewise: below 0
//   JNICritical_lock, Heap_lock,      what threads sleep on that wait
//   ZJNICritical::_lock
//   JavaThread::_jni_active_critical  how deep the thread is inside; not exported, found by critical_slot.h
//
// G1 from 22 on, and Shenandoah, pin regions instead (JEP 423): there nothing is held up. Source:
// src/hotspot/share/gc/shared/gcLocker.cpp, gc/z/zJNICritical.cpp. All are safe loads. Ordinary threads.
#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <vector>

#include "agent/hotspot/state/vm_library.h"

namespace rec::agent {

class CriticalWords {
 public:
  // slots: of critical_slot.h, none: not known. Then nobody is said to be inside.
  void open(const VmLibrary& library, std::vector<uint32_t> slots);

  // A collection waits for those inside, or goes on after it had to, or (asks_first()) is under way at all.
  enum class Held : uint8_t { kNo, kGaveUp, kAsks };
  Held held() const;

  bool knows_inside() const;
  bool inside(uint64_t java_thread) const;
  // futex: the address that a thread sleeps on, of the system call.
  bool waits_on(uint64_t futex, Held held) const;
  // kAsks: calls is_thread for words of the lock that who asked for the collection holds, until it says yes.
  void owner(const std::function<bool(uint64_t)>& is_thread) const;

 private:
  uint64_t needs_ = 0, pending_ = 0, z_count_ = 0;      // addresses of the words
  uint64_t jni_lock_ = 0, heap_lock_ = 0, z_lock_ = 0;  // addresses of pointers to the locks
  std::vector<uint32_t> slots_;
};

// Of pictures of a JavaThread's memory, in 32-bit words, while it goes inside twice and leaves twice: the offsets of
// those that counted. JDK 28 has a second one; more than a few are chance, and none.
inline constexpr uint32_t kDepths[] = {0, 1, 2, 1, 0};
std::vector<uint32_t> slots_that_counted(std::span<const std::vector<uint32_t>, std::size(kDepths)> pictures);

}  // namespace rec::agent
