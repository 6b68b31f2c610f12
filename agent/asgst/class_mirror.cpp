// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/class_mirror.h"

#include "agent/hotspot/safe_load.h"

namespace rec::agent::asgst {
namespace {

constexpr int kTries = 16;  // the collector would have to move it each time

uint64_t read_handle(jclass local) { return word_at(reinterpret_cast<uint64_t>(local)); }

}  // namespace

// A local reference is the address of a word that holds the object's address. The object may be moved while we look,
// and then the word changes: so it is read twice. Other references hold what only the collector's barriers can read.
uint64_t klass_of(const Session& session, JNIEnv* jni, jclass mirror) {
  if (session.layout().mirror_klass == kAbsent || mirror == nullptr) return 0;
  const auto local = static_cast<jclass>(jni->NewLocalRef(mirror));
  if (local == nullptr) return 0;
  uint64_t klass = 0;
  for (int i = 0; i < kTries; ++i) {
    const uint64_t object = read_handle(local);
    klass = word_at(object + session.layout().mirror_klass);
    if (read_handle(local) == object) break;
    klass = 0;
  }
  jni->DeleteLocalRef(local);
  return klass;
}

}  // namespace rec::agent::asgst
