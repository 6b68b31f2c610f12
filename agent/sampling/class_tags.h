// SPDX-License-Identifier: Apache-2.0
// ClassTags is an environment of JVMTI whose tags are on class mirrors: it tells when a class is prepared, and when a
// tagged mirror was collected.
//
//   closed -- open() --> events come, mirrors may be tagged -- close() --> closed: no events, no tags
//
// The environment itself is made once and kept: the VM frees one that was disposed of at its next collection only, some
// ten KB each time. Ordinary threads that Java knows.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <atomic>

#include "agent/hotspot/vm/local_refs.h"

namespace rec::agent {

using OnClassPrepared = void(JNICALL*)(jvmtiEnv*, JNIEnv*, jthread, jclass mirror);
using OnMirrorFreed = void(JNICALL*)(jvmtiEnv*, jlong tag);

class ClassTags {
 public:
  // Makes the environment while the VM starts, rather than when it is opened first.
  void prepare(JavaVM* vm, OnClassPrepared on_prepared, OnMirrorFreed on_freed);
  // The callbacks are those of the first time. Events may come before it returns. False: this VM tells nobody.
  bool open(JavaVM* vm, OnClassPrepared on_prepared, OnMirrorFreed on_freed);
  void close(JNIEnv* jni);
  bool is_open() const { return open_; }

  // Never given twice: an event of a tag that was taken off again may still be on its way.
  jlong new_tag() { return last_tag_.fetch_add(1, std::memory_order_relaxed) + 1; }
  bool tag(jclass mirror, jlong tag) { return jvmti_->SetTag(mirror, tag) == JVMTI_ERROR_NONE; }
  // A class may be prepared while each_prepared_class() goes round: it has its tag then.
  bool has_tag(jclass mirror) const;

  // Calls visit(mirror) for each class that is prepared now; the reference is gone afterwards. Arrays are not prepared,
  // and go with their element's class. False: the VM does not tell.
  template <typename Visit>
  bool each_prepared_class(JNIEnv* jni, Visit visit) {
    jint count = 0;
    jclass* mirrors = nullptr;
    if (jvmti_->GetLoadedClasses(&count, &mirrors) != JVMTI_ERROR_NONE) return false;
    expect_local_refs(jni, count);
    for (jint i = 0; i < count; ++i) {
      jint status = 0;
      const bool known = jvmti_->GetClassStatus(mirrors[i], &status) == JVMTI_ERROR_NONE;
      if (known && (status & JVMTI_CLASS_STATUS_PREPARED) != 0) visit(mirrors[i]);
      jni->DeleteLocalRef(mirrors[i]);
    }
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(mirrors));
    return true;
  }

 private:
  bool make(JavaVM* vm, OnClassPrepared on_prepared, OnMirrorFreed on_freed);
  bool tell(jvmtiEventMode mode);

  jvmtiEnv* jvmti_ = nullptr;
  std::atomic<bool> open_{false};
  std::atomic<jlong> last_tag_{0};
};

}  // namespace rec::agent
