// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/class_tags.h"

namespace rec::agent {

bool open_class_tags(JavaVM* vm, OnClassPrepared on_prepared, OnMirrorFreed on_freed, jvmtiEnv*& jvmti) {
  if (vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_1_2) != JNI_OK) return jvmti = nullptr, false;
  jvmtiCapabilities capabilities{};
  capabilities.can_tag_objects = 1;
  capabilities.can_generate_object_free_events = 1;
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassPrepare = on_prepared;
  callbacks.ObjectFree = on_freed;
  return jvmti->AddCapabilities(&capabilities) == JVMTI_ERROR_NONE &&
         jvmti->SetEventCallbacks(&callbacks, sizeof callbacks) == JVMTI_ERROR_NONE &&
         jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE, nullptr) == JVMTI_ERROR_NONE &&
         jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, nullptr) == JVMTI_ERROR_NONE;
}

// One that cannot be told of counts as tagged: it would be tagged in vain.
bool has_tag(jvmtiEnv* jvmti, jclass mirror) {
  jlong tag = 0;
  return jvmti->GetTag(mirror, &tag) != JVMTI_ERROR_NONE || tag != 0;
}

}  // namespace rec::agent
