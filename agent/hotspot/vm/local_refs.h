// SPDX-License-Identifier: Apache-2.0
// JNI's local references: room for them, and what they lead to. Ordinary threads.
#pragma once

#include <jni.h>

#include <cstdint>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {

// JVMTI hands out lists of them without asking for room. Under -Xcheck:jni the VM warns of that at the next call of JNI,
// as long as nobody has. Right behind the JVMTI call that gave so many references; before any other call of JNI.
inline void expect_local_refs(JNIEnv* jni, jint count) {
  constexpr jint kOurOwn = 32;  // beside those
  if (jni->EnsureLocalCapacity(count + kOurOwn) != JNI_OK) jni->ExceptionClear();
}

// A local reference is the address of a word that holds the object's address. Other references hold what only the
// collector's barriers can read.
inline uint64_t object_at(jobject local) { return u64_at(reinterpret_cast<uint64_t>(local)); }

// What look(address of the object) says. The object may be moved while it looks, and then the word changes: so that is
// read twice. Nothing: there is no object, or it was moved each time.
template <typename Look>
auto look_at(jobject local, Look look) -> decltype(look(uint64_t{})) {
  constexpr int kTries = 16;
  for (int i = 0; i < kTries && local != nullptr; ++i) {
    const uint64_t object = object_at(local);
    const auto answer = look(object);
    if (object_at(local) == object) return answer;
  }
  return {};
}

}  // namespace rec::agent
