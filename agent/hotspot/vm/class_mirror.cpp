// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/class_mirror.h"

#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

constexpr int kTries = 16;  // the collector would have to move it each time

uint64_t read_handle(jclass local) { return u64_at(reinterpret_cast<uint64_t>(local)); }

}  // namespace

// A local reference is the address of a word that holds the object's address. The object may be moved while we look,
// and then the word changes: so it is read twice. Other references hold what only the collector's barriers can read.
uint64_t klass_of_local(const Layout& layout, jclass local) {
  if (layout.mirror.klass == kAbsent || local == nullptr) return 0;
  for (int i = 0; i < kTries; ++i) {
    const uint64_t object = read_handle(local);
    const uint64_t klass = u64_at(object + layout.mirror.klass);
    if (read_handle(local) == object) return klass;
  }
  return 0;
}

uint64_t klass_of(const Layout& layout, JNIEnv* jni, jclass mirror) {
  const auto local = static_cast<jclass>(jni->NewLocalRef(mirror));
  const uint64_t klass = klass_of_local(layout, local);
  jni->DeleteLocalRef(local);
  return klass;
}

}  // namespace rec::agent
