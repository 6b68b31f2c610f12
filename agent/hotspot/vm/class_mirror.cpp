// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/class_mirror.h"

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/local_refs.h"

namespace rec::agent {

uint64_t klass_of_local(const Layout& layout, jclass local) {
  if (layout.mirror.klass == kAbsent) return 0;
  return look_at(local, [&](uint64_t mirror) { return u64_at(mirror + layout.mirror.klass); });
}

uint64_t klass_of(const Layout& layout, JNIEnv* jni, jclass mirror) {
  const auto local = static_cast<jclass>(jni->NewLocalRef(mirror));
  const uint64_t klass = klass_of_local(layout, local);
  jni->DeleteLocalRef(local);
  return klass;
}

}  // namespace rec::agent
