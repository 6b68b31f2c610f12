// SPDX-License-Identifier: Apache-2.0
// The calls of asgst.h that tell of threads.
#include <asgst.h>

#include <string>

#include "agent/asgst/last_error.h"
#include "agent/asgst/session.h"
#include "agent/asgst/texts.h"
#include "agent/hotspot/processor/signal_context.h"
#include "agent/hotspot/vm/local_refs.h"
#include "agent/process/os_state.h"

namespace rec::agent::asgst {
namespace {

constexpr size_t kThreadInfo2 = 56;
static_assert(sizeof(ASGST_ThreadInfo) == kThreadInfo2);

// A new local reference to its java.lang.Thread, or nullptr.
jobject find_thread(const Session& of, JNIEnv* jni, uint64_t java_thread) {
  jint count = 0;
  jthread* threads = nullptr;
  if (java_thread == 0 || of.jvmti->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return nullptr;
  expect_local_refs(jni, count);
  jobject found = nullptr;
  for (jint i = 0; i < count; ++i) {
    if (found == nullptr && of.fields.java_thread(jni, threads[i]) == java_thread)
      found = threads[i];
    else
      jni->DeleteLocalRef(threads[i]);
  }
  of.jvmti->Deallocate(reinterpret_cast<unsigned char*>(threads));
  return found;
}

int describe(const Session& of, JNIEnv* jni, int32_t os_id, ASGST_ThreadInfo& info) {
  const std::string os_name = os_thread_name(os_id);
  if (os_name.empty()) return ASGST_UNKNOWN_THREAD;
  const uint64_t java_thread = java_thread_of(of, os_id);
  const jobject thread = find_thread(of, jni, java_thread);
  const StackOwner owner = thread == nullptr ? StackOwner{} : owner_of(of, os_id, java_thread);
  info.state = static_cast<jint>(owner.state);
  info.java_thread_id = owner.java_id;
  info.virtual_thread_id = owner.virtual_id;
  const std::string name = thread == nullptr ? std::string() : of.fields.name(jni, thread);
  Texts texts;
  texts.copy(thread == nullptr ? TextView{} : view_of_text(name), info.name, info.name_length);
  texts.copy(view_of_text(os_name), info.os_name, info.os_name_length);
  if (thread != nullptr) jni->DeleteLocalRef(thread);
  return texts.result(ASGST_UNSAFE);
}

}  // namespace

extern "C" {

JNIEXPORT int ASGST_GetThreadInfo(jint os_thread_id, ASGST_ThreadInfo* info) {
  const Session* of = session();
  if (of == nullptr) return set_last_error(closed_error());
  if (info == nullptr) return set_last_error(ASGST_BAD_ARGUMENT);
  if (info->size < kThreadInfo2) return set_last_error(ASGST_BAD_SIZE);
  JNIEnv* jni = of->jni();
  if (jni == nullptr) return set_last_error(ASGST_UNKNOWN_THREAD);
  if (!may_fault_here()) return set_last_error(ASGST_UNSAFE);
  return set_last_error(describe(*of, jni, os_thread_id, *info));
}

JNIEXPORT jobject ASGST_ThreadToJThread(jint os_thread_id) {
  const Session* of = session();
  if (of == nullptr) return set_last_error(closed_error()), nullptr;
  JNIEnv* jni = of->jni();
  const bool safe = may_fault_here();
  const jobject found = jni == nullptr || !safe ? nullptr : find_thread(*of, jni, java_thread_of(*of, os_thread_id));
  set_last_error(found != nullptr ? ASGST_OK : safe ? ASGST_UNKNOWN_THREAD : ASGST_UNSAFE);
  return found;
}

}  // extern "C"

}  // namespace rec::agent::asgst
