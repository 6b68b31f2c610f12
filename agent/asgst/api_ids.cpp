// SPDX-License-Identifier: Apache-2.0
// The calls of asgst.h that go to and from JNI's ids.
#include <asgst.h>

#include "agent/asgst/last_error.h"
#include "agent/asgst/session.h"
#include "agent/hotspot/vm/class_mirror.h"
#include "agent/hotspot/vm/local_refs.h"
#include "agent/hotspot/walk/method_ids.h"

namespace rec::agent::asgst {
namespace {

// Where an id does not lead back, JVMTI tells the class, and its ids the method.
uint64_t look_up_id(const Session& of, JNIEnv* jni, jmethodID id) {
  jclass holder = nullptr;
  if (jni == nullptr || of.jvmti->GetMethodDeclaringClass(id, &holder) != JVMTI_ERROR_NONE) return 0;
  const uint64_t klass = klass_of(of.layout(), jni, holder);
  jni->DeleteLocalRef(holder);
  return look_up_method_id(of.layout(), klass, reinterpret_cast<uint64_t>(id));
}

jclass find_mirror(const Session& of, JNIEnv* jni, uint64_t klass) {
  jint count = 0;
  jclass* mirrors = nullptr;
  if (of.jvmti->GetLoadedClasses(&count, &mirrors) != JVMTI_ERROR_NONE) return nullptr;
  expect_local_refs(jni, count);
  jclass found = nullptr;
  for (jint i = 0; i < count; ++i) {
    if (found == nullptr && klass_of(of.layout(), jni, mirrors[i]) == klass)
      found = mirrors[i];
    else
      jni->DeleteLocalRef(mirrors[i]);
  }
  of.jvmti->Deallocate(reinterpret_cast<unsigned char*>(mirrors));
  return found;
}

template <typename T>
T* or_error(T* found, int error) {
  set_last_error(found != nullptr ? ASGST_OK : error);
  return found;
}

template <typename T>
T* refuse(int error) {
  return set_last_error(error), nullptr;
}

bool can(const Session& of, uint32_t what) { return (of.capabilities.load(std::memory_order_relaxed) & what) != 0; }

}  // namespace

extern "C" {

JNIEXPORT jmethodID ASGST_MethodToJMethodID(ASGST_Method method) {
  const Session* of = session();
  if (of == nullptr) return refuse<_jmethodID>(closed_error());
  if (!can(*of, ASGST_CAN_FIND_JMETHODID)) return refuse<_jmethodID>(ASGST_UNAVAILABLE);
  const MethodView view = view_method(of->layout(), reinterpret_cast<uint64_t>(method));
  if (!view) return refuse<_jmethodID>(ASGST_BAD_METHOD);
  return or_error(reinterpret_cast<jmethodID>(find_method_id(of->layout(), view)), ASGST_NO_ID);
}

JNIEXPORT ASGST_Method ASGST_JMethodIDToMethod(jmethodID id) {
  const Session* of = session();
  if (of == nullptr) return refuse<ASGST_MethodHandle>(closed_error());
  if (id == nullptr) return refuse<ASGST_MethodHandle>(ASGST_BAD_ARGUMENT);
  if (!can(*of, ASGST_CAN_FIND_JMETHODID)) return refuse<ASGST_MethodHandle>(ASGST_UNAVAILABLE);
  const uint64_t method = can(*of, ASGST_CAN_RESOLVE_JMETHODID)
                              ? follow_method_id(of->layout(), reinterpret_cast<uint64_t>(id))
                              : look_up_id(*of, of->jni(), id);
  return or_error(reinterpret_cast<ASGST_Method>(method), ASGST_NO_ID);
}

JNIEXPORT jclass ASGST_ClassToJClass(ASGST_Class klass) {
  const Session* of = session();
  if (of == nullptr) return refuse<_jclass>(closed_error());
  if (!can(*of, ASGST_CAN_CONVERT_CLASSES)) return refuse<_jclass>(ASGST_UNAVAILABLE);
  JNIEnv* jni = of->jni();
  if (jni == nullptr) return refuse<_jclass>(ASGST_UNKNOWN_THREAD);
  if (klass == nullptr) return refuse<_jclass>(ASGST_BAD_ARGUMENT);
  return or_error(find_mirror(*of, jni, reinterpret_cast<uint64_t>(klass)), ASGST_BAD_CLASS);
}

JNIEXPORT ASGST_Class ASGST_JClassToClass(jclass mirror) {
  const Session* of = session();
  if (of == nullptr) return refuse<ASGST_ClassHandle>(closed_error());
  if (!can(*of, ASGST_CAN_CONVERT_CLASSES)) return refuse<ASGST_ClassHandle>(ASGST_UNAVAILABLE);
  JNIEnv* jni = of->jni();
  if (jni == nullptr) return refuse<ASGST_ClassHandle>(ASGST_UNKNOWN_THREAD);
  if (mirror == nullptr) return refuse<ASGST_ClassHandle>(ASGST_BAD_ARGUMENT);
  return or_error(reinterpret_cast<ASGST_Class>(klass_of(of->layout(), jni, mirror)), ASGST_BAD_CLASS);
}

}  // extern "C"

}  // namespace rec::agent::asgst
