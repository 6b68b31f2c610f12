// SPDX-License-Identifier: Apache-2.0
// An environment of JVMTI whose tags are on class mirrors: it tells when a class is prepared, and when a tagged mirror
// was collected. Ordinary threads that Java knows.
#pragma once

#include <jni.h>
#include <jvmti.h>

namespace rec::agent {

using OnClassPrepared = void(JNICALL*)(jvmtiEnv*, JNIEnv*, jthread, jclass mirror);
using OnMirrorFreed = void(JNICALL*)(jvmtiEnv*, jlong tag);

// Events may come before it returns: `jvmti` is set before they are enabled. False: this VM tells nobody, and `jvmti`
// is the caller's to dispose of, if it is not null.
bool open_class_tags(JavaVM* vm, OnClassPrepared on_prepared, OnMirrorFreed on_freed, jvmtiEnv*& jvmti);

// Calls visit(mirror) for each class that is prepared now; the reference is gone afterwards. Arrays are not prepared,
// and go with their element's class. False: the VM does not tell.
template <typename Visit>
bool each_prepared_class(jvmtiEnv* jvmti, JNIEnv* jni, Visit visit) {
  jint count = 0;
  jclass* mirrors = nullptr;
  if (jvmti->GetLoadedClasses(&count, &mirrors) != JVMTI_ERROR_NONE) return false;
  for (jint i = 0; i < count; ++i) {
    jint status = 0;
    const bool known = jvmti->GetClassStatus(mirrors[i], &status) == JVMTI_ERROR_NONE;
    if (known && (status & JVMTI_CLASS_STATUS_PREPARED) != 0) visit(mirrors[i]);
    jni->DeleteLocalRef(mirrors[i]);
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(mirrors));
  return true;
}

// A class may be prepared while each_prepared_class() goes round: it has its tag then.
bool has_tag(jvmtiEnv* jvmti, jclass mirror);

}  // namespace rec::agent
