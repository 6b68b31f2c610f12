// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/thread_fields.h"

namespace rec::agent {
namespace {

// A field that is not there leaves no exception behind.
jfieldID field(JNIEnv* jni, jclass klass, const char* name, const char* type) {
  jfieldID found = klass == nullptr ? nullptr : jni->GetFieldID(klass, name, type);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  return found;
}

}  // namespace

bool ThreadFields::open(JNIEnv* jni) {
  if (eetop_ != nullptr && tid_ != nullptr) return true;
  jclass thread = jni->FindClass("java/lang/Thread");
  if (thread == nullptr) return jni->ExceptionClear(), false;
  eetop_ = field(jni, thread, "eetop", "J");
  tid_ = field(jni, thread, "tid", "J");
  name_ = field(jni, thread, "name", "Ljava/lang/String;");
  park_blocker_ = field(jni, thread, "parkBlocker", "Ljava/lang/Object;");
  holder_ = field(jni, thread, "holder", "Ljava/lang/Thread$FieldHolder;");
  jclass holder = holder_ == nullptr ? thread : jni->FindClass("java/lang/Thread$FieldHolder");
  status_ = field(jni, holder, "threadStatus", "I");
  priority_ = field(jni, holder, "priority", "I");
  daemon_ = field(jni, holder, "daemon", "Z");
  if (holder != thread) jni->DeleteLocalRef(holder);
  jni->DeleteLocalRef(thread);
  return eetop_ != nullptr && tid_ != nullptr;
}

uint64_t ThreadFields::java_thread(JNIEnv* jni, jobject thread) const {
  return eetop_ == nullptr ? 0 : static_cast<uint64_t>(jni->GetLongField(thread, eetop_));
}

int64_t ThreadFields::id(JNIEnv* jni, jobject thread) const {
  return tid_ == nullptr ? 0 : jni->GetLongField(thread, tid_);
}

jobject ThreadFields::park_blocker(JNIEnv* jni, jobject thread) const {
  return park_blocker_ == nullptr ? nullptr : jni->GetObjectField(thread, park_blocker_);
}

ThreadFields::Status ThreadFields::status(JNIEnv* jni, jobject thread) const {
  if (holder_ == nullptr) return status_in(jni, thread);
  jobject holder = jni->GetObjectField(thread, holder_);
  if (holder == nullptr) return {};
  const Status status = status_in(jni, holder);
  jni->DeleteLocalRef(holder);
  return status;
}

ThreadFields::Status ThreadFields::status_in(JNIEnv* jni, jobject holder) const {
  Status status;
  if (status_ != nullptr) status.state = static_cast<uint32_t>(jni->GetIntField(holder, status_));
  if (priority_ != nullptr) status.priority = jni->GetIntField(holder, priority_);
  if (daemon_ != nullptr) status.daemon = jni->GetBooleanField(holder, daemon_) == JNI_TRUE;
  return status;
}

std::string ThreadFields::name(JNIEnv* jni, jobject thread) const {
  if (name_ == nullptr) return {};
  auto text = static_cast<jstring>(jni->GetObjectField(thread, name_));
  if (text == nullptr) return {};
  const jsize units = jni->GetStringLength(text);
  std::string name(static_cast<size_t>(jni->GetStringUTFLength(text)) + 1, '\0');  // the VM writes a 0 behind it
  jni->GetStringUTFRegion(text, 0, units, name.data());
  name.pop_back();
  jni->DeleteLocalRef(text);
  return name;
}

}  // namespace rec::agent
