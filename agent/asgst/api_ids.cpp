// SPDX-License-Identifier: Apache-2.0
// The calls of asgst.h that go to and from JNI's ids.
#include <asgst.h>

#include "agent/asgst/last_error.h"
#include "agent/asgst/session.h"
#include "agent/hotspot/vm/class_mirror.h"
#include "agent/hotspot/walk/method_view.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent::asgst {
namespace {

constexpr uint64_t kMaxMethods = 65536;

// InstanceKlass::_methods_jmethod_ids: [0] is how many may follow, [1 + idnum] the method's id or 0
// (src/hotspot/share/oops/instanceKlass.cpp).
struct IdCache {
  uint64_t words = 0, count = 0;
  uint64_t at(uint64_t idnum) const { return idnum < count ? u64_at(words + 8 * (idnum + 1)) : 0; }
};

IdCache cache_of(const Session& of, uint64_t klass) {
  if (of.optional.klass_jmethod_ids == kAbsent) return {};
  IdCache cache;
  cache.words = u64_at(klass + of.optional.klass_jmethod_ids);
  if (cache.words != 0) cache.count = u64_at(cache.words);
  return cache.count <= kMaxMethods ? cache : IdCache{};
}

uint64_t find_id(const Session& of, const MethodView& view) {
  return cache_of(of, view.holder.klass).at(u16_at(view.const_method + of.layout().const_method_idnum));
}

// To 25 an id is the address of a word that holds the Method*. The way back shows that it is this method's.
uint64_t follow_id(const Session& of, uint64_t id) {
  const MethodView view = id % 8 == 0 && id >= 4096 ? view_method(of.layout(), u64_at(id)) : MethodView{};
  return view && find_id(of, view) == id ? view.method : 0;
}

// Otherwise JVMTI tells the class, and its ids the method.
uint64_t look_up_id(const Session& of, JNIEnv* jni, jmethodID id) {
  jclass holder = nullptr;
  if (jni == nullptr || of.jvmti->GetMethodDeclaringClass(id, &holder) != JVMTI_ERROR_NONE) return 0;
  const uint64_t klass = klass_of(of.layout(), jni, holder);
  jni->DeleteLocalRef(holder);
  const uint64_t methods = u64_at(klass + of.layout().instance_klass_methods);
  const IdCache cache = cache_of(of, klass);
  for (uint64_t idnum = 0; idnum < cache.count && idnum < u32_at(methods); ++idnum)
    if (cache.at(idnum) == reinterpret_cast<uint64_t>(id))
      return u64_at(methods + of.layout().method_array_data + 8 * idnum);
  return 0;
}

jclass find_mirror(const Session& of, JNIEnv* jni, uint64_t klass) {
  jint count = 0;
  jclass* mirrors = nullptr;
  if (of.jvmti->GetLoadedClasses(&count, &mirrors) != JVMTI_ERROR_NONE) return nullptr;
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
  return or_error(reinterpret_cast<jmethodID>(find_id(*of, view)), ASGST_NO_ID);
}

JNIEXPORT ASGST_Method ASGST_JMethodIDToMethod(jmethodID id) {
  const Session* of = session();
  if (of == nullptr) return refuse<ASGST_MethodHandle>(closed_error());
  if (id == nullptr) return refuse<ASGST_MethodHandle>(ASGST_BAD_ARGUMENT);
  if (!can(*of, ASGST_CAN_FIND_JMETHODID)) return refuse<ASGST_MethodHandle>(ASGST_UNAVAILABLE);
  const uint64_t method = can(*of, ASGST_CAN_RESOLVE_JMETHODID) ? follow_id(*of, reinterpret_cast<uint64_t>(id))
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
