// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/class_tags.h"

namespace rec::agent {

void ClassTags::prepare(JavaVM* vm, OnClassPrepared on_prepared, OnMirrorFreed on_freed) {
  if (jvmti_ == nullptr) make(vm, on_prepared, on_freed);
}

bool ClassTags::open(JavaVM* vm, OnClassPrepared on_prepared, OnMirrorFreed on_freed) {
  if (jvmti_ == nullptr && !make(vm, on_prepared, on_freed)) return false;
  open_ = true;
  return tell(JVMTI_ENABLE) || (tell(JVMTI_DISABLE), open_ = false);
}

bool ClassTags::make(JavaVM* vm, OnClassPrepared on_prepared, OnMirrorFreed on_freed) {
  if (vm->GetEnv(reinterpret_cast<void**>(&jvmti_), JVMTI_VERSION_1_2) != JNI_OK) return jvmti_ = nullptr, false;
  jvmtiCapabilities capabilities{};
  capabilities.can_tag_objects = 1;
  capabilities.can_generate_object_free_events = 1;
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassPrepare = on_prepared;
  callbacks.ObjectFree = on_freed;
  if (jvmti_->AddCapabilities(&capabilities) == JVMTI_ERROR_NONE &&
      jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks) == JVMTI_ERROR_NONE)
    return true;
  jvmti_->DisposeEnvironment();
  jvmti_ = nullptr;
  return false;
}

bool ClassTags::tell(jvmtiEventMode mode) {
  bool all = true;
  for (const jvmtiEvent event : {JVMTI_EVENT_OBJECT_FREE, JVMTI_EVENT_CLASS_PREPARE})
    all = jvmti_->SetEventNotificationMode(mode, event, nullptr) == JVMTI_ERROR_NONE && all;
  return all;
}

// Tags cost each collection some time: they do not stay.
void ClassTags::close(JNIEnv* jni) {
  if (!open_.exchange(false)) return;
  tell(JVMTI_DISABLE);
  each_prepared_class(jni, [this](jclass mirror) { tag(mirror, 0); });
}

// One that cannot be told of counts as tagged: it would be tagged in vain.
bool ClassTags::has_tag(jclass mirror) const {
  jlong tag = 0;
  return jvmti_->GetTag(mirror, &tag) != JVMTI_ERROR_NONE || tag != 0;
}

}  // namespace rec::agent
