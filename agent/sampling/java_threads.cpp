// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/java_threads.h"

#include <algorithm>
#include <cstring>

#include "agent/hotspot/vm/java_thread.h"

namespace rec::agent {
namespace {

uint16_t copy_name(const char* from, std::array<char, kMaxThreadName>& to) {
  if (from == nullptr) return 0;
  const size_t size = std::min(std::strlen(from), to.size());
  std::memcpy(to.data(), from, size);
  return static_cast<uint16_t>(size);
}

}  // namespace

bool JavaThreads::open(jvmtiEnv* jvmti, JNIEnv* jni, const Layout& layout) {
  jvmti_ = jvmti;
  layout_ = &layout;
  return fields_.open(jni);
}

ThreadRecord* JavaThreads::add(JNIEnv* jni, jthread thread, ThreadRegistry& registry) const {
  const uint64_t java_thread = fields_.java_thread(jni, thread);
  if (java_thread == 0) return nullptr;
  const int32_t os_id = os_thread_id(*layout_, java_thread);
  if (os_id <= 0) return nullptr;
  ThreadRecord* record = registry.add(os_id);
  if (record == nullptr) return nullptr;
  read_names(jni, thread, *record);
  record->java_id = fields_.id(jni, thread);
  record->java_thread = java_thread;
  return record;
}

void JavaThreads::read_names(JNIEnv* jni, jthread thread, ThreadRecord& record) const {
  jvmtiThreadInfo info{};
  if (jvmti_->GetThreadInfo(thread, &info) != JVMTI_ERROR_NONE) return;
  record.name_size = copy_name(info.name, record.name);
  record.java_priority = info.priority;
  jvmtiThreadGroupInfo group{};
  if (info.thread_group != nullptr && jvmti_->GetThreadGroupInfo(info.thread_group, &group) == JVMTI_ERROR_NONE) {
    record.group_size = copy_name(group.name, record.group);
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(group.name));
    if (group.parent != nullptr) jni->DeleteLocalRef(group.parent);
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(info.name));
  if (info.thread_group != nullptr) jni->DeleteLocalRef(info.thread_group);
  if (info.context_class_loader != nullptr) jni->DeleteLocalRef(info.context_class_loader);
}

}  // namespace rec::agent
