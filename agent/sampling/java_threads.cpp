// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/java_threads.h"

#include <algorithm>
#include <string_view>

#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/vm/thread_name.h"
#include "agent/hotspot/vm/virtual_thread.h"
#include "agent/process/memory.h"
#include "agent/process/system_thread.h"
#include "agent/sampling/thread_facts.h"

namespace rec::agent {
namespace {

constexpr int32_t kNormalPriority = 5;  // that all virtual threads have

uint16_t copy_name(std::string_view from, std::array<char, kMaxThreadName>& to) {
  const size_t size = std::min(from.size(), to.size());
  std::copy_n(from.data(), size, to.data());
  return static_cast<uint16_t>(size);
}

std::string_view view_of(const char* text) { return text == nullptr ? std::string_view() : std::string_view(text); }

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
  if (os_id <= 0 || (is_thread_of_ours() && os_id == own_thread_id())) return nullptr;
  ThreadRecord* record = registry.add(os_id);
  if (record == nullptr) return nullptr;
  read_names(jni, thread, *record);
  record->java_id = fields_.id(jni, thread);
  record->java_thread = java_thread;
  return record;
}

ThreadRecord* JavaThreads::add_bound(uint64_t java_thread, ThreadRegistry& registry) const {
  const int64_t id = bound_thread_id(*layout_, java_thread);
  const int32_t os_id = os_thread_id(*layout_, java_thread);
  if (id == 0 || os_id <= 0) return nullptr;
  ThreadRecord* record = registry.add(os_id);
  if (record == nullptr) return nullptr;
  record->name_size =
      static_cast<uint16_t>(own_thread_name(*layout_, java_thread, id, record->name.data(), record->name.size()));
  record->group_size = copy_name(kVirtualGroup, record->group);
  record->java_priority = kNormalPriority;
  record->java_id = id;
  record->java_thread = java_thread;
  return record;
}

void JavaThreads::read_names(JNIEnv* jni, jthread thread, ThreadRecord& record) const {
  jvmtiThreadInfo info{};
  if (jvmti_->GetThreadInfo(thread, &info) != JVMTI_ERROR_NONE) return;
  record.name_size = copy_name(view_of(info.name), record.name);
  record.java_priority = info.priority;
  jvmtiThreadGroupInfo group{};
  if (info.thread_group != nullptr && jvmti_->GetThreadGroupInfo(info.thread_group, &group) == JVMTI_ERROR_NONE) {
    record.group_size = copy_name(view_of(group.name), record.group);
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(group.name));
    if (group.parent != nullptr) jni->DeleteLocalRef(group.parent);
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(info.name));
  if (info.thread_group != nullptr) jni->DeleteLocalRef(info.thread_group);
  if (info.context_class_loader != nullptr) jni->DeleteLocalRef(info.context_class_loader);
}

}  // namespace rec::agent
