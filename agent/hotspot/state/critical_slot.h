// SPDX-License-Identifier: Apache-2.0
// Where a JavaThread counts how deep it is inside JNI critical sections (JavaThread::_jni_active_critical), which is not
// exported. It is found by going inside: the words of the calling thread that count 0 1 2 1 0 with it. Collectors
// that pin objects have none.
#pragma once

#include <jni.h>

#include <cstdint>
#include <vector>

namespace rec::agent {

// The calling thread is java_thread, in an ordinary native method or callback. It is inside for microseconds. None:
// there is no such word.
std::vector<uint32_t> find_critical_slots(JNIEnv* jni, uint64_t java_thread);

}  // namespace rec::agent
