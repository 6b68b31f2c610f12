// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/wait_reader.h"

#include <utility>

#include "agent/hotspot/processor/load_order.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/heap_object.h"
#include "agent/hotspot/vm/local_refs.h"
#include "agent/hotspot/vm/object_class.h"

namespace rec::agent {
namespace {

constexpr char kInitLockClass[] = "[I";
constexpr uint32_t kSearchedBytes = 3072;  // bytes of a JavaThread that are searched

void clear_exception(JNIEnv* jni) {
  if (jni->ExceptionCheck()) jni->ExceptionClear();
}

}  // namespace

void WaitReader::open(jvmtiEnv* jvmti, JNIEnv* jni) {
  jvmti_ = jvmti;
  if (park_blocker_ != nullptr) return;
  jclass thread = jni->FindClass("java/lang/Thread");
  if (thread != nullptr) {
    park_blocker_ = jni->GetFieldID(thread, "parkBlocker", "Ljava/lang/Object;");
    jni->DeleteLocalRef(thread);
  }
  clear_exception(jni);
  jclass synchronizer = jni->FindClass("java/util/concurrent/locks/AbstractOwnableSynchronizer");
  clear_exception(jni);
  if (synchronizer == nullptr) return;
  owner_thread_ = jni->GetFieldID(synchronizer, "exclusiveOwnerThread", "Ljava/lang/Thread;");
  clear_exception(jni);
  if (owner_thread_ != nullptr) synchronizer_ = static_cast<jclass>(jni->NewGlobalRef(synchronizer));
  jni->DeleteLocalRef(synchronizer);
}

Waiting WaitReader::monitor_of(uint64_t java_thread, OwnerWord& owner) const {
  Waiting waiting;
  if (layout_.thread.pending_monitor != kAbsent) waiting.monitor = u64_at(java_thread + layout_.thread.pending_monitor);
  waiting.kind = waiting.monitor != 0 ? WaitKind::kEnter : WaitKind::kNone;
  if (waiting.monitor == 0 && layout_.thread.waiting_monitor != kAbsent) {
    waiting.monitor = u64_at(java_thread + layout_.thread.waiting_monitor);
    if (waiting.monitor != 0) waiting.kind = WaitKind::kWait;
  }
  if (waiting.monitor == 0) return waiting;
  if (layout_.monitor.owner != kAbsent) owner.word = u64_at(waiting.monitor + layout_.monitor.owner);
  read_object(waiting);
  // What stands for a class that another thread makes is an array without elements.
  if (waiting.kind == WaitKind::kWait && waiting.klass == kInitLockClass) {
    const std::string made = class_in(java_thread);
    if (!made.empty()) waiting.kind = WaitKind::kClassInit, waiting.klass = made;
  }
  return waiting;
}

// JavaThread::_class_to_be_initialized is not exported: it is the one word that leads to a class, and only while the
// thread waits for it (src/hotspot/share/oops/instanceKlass.cpp).
std::string WaitReader::class_in(uint64_t java_thread) const {
  for (uint32_t offset = 0; offset < kSearchedBytes; offset += 8)
    if (const uint64_t word = u64_at(java_thread + offset); is_klass(layout_, word)) return class_name(layout_, word);
  return {};
}

// False: which object the monitor is of is not told, or was just changing.
bool WaitReader::read_object(Waiting& waiting) const {
  if (layout_.monitor.object == kAbsent) return false;
  const uint64_t handle = waiting.monitor + layout_.monitor.object;
  uint64_t object = 0, afterwards = 0;
  if (!load_handle(layout_, handle, object)) return false;
  ObjectClass found = class_of_object(layout_, object);
  loads_until_here();
  if (found.name.empty() || !load_handle(layout_, handle, afterwards) || afterwards != object) return false;
  waiting.object = object;
  waiting.klass = std::move(found.name);
  waiting.mirror_of = std::move(found.mirror_of);
  return true;
}

Waiting WaitReader::blocker_of(JNIEnv* jni, jthread thread, OwnerWord& owner) const {
  Waiting waiting;
  if (park_blocker_ == nullptr) return waiting;
  waiting.kind = WaitKind::kPark;
  jobject blocker = jni->GetObjectField(thread, park_blocker_);
  if (blocker == nullptr) return waiting;
  jclass klass = jni->GetObjectClass(blocker);
  char* signature = nullptr;
  if (jvmti_->GetClassSignature(klass, &signature, nullptr) == JVMTI_ERROR_NONE && signature != nullptr) {
    waiting.klass = external_name(signature);
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(signature));
  }
  waiting.object = object_at(blocker);
  if (synchronizer_ != nullptr && jni->IsInstanceOf(blocker, synchronizer_)) {
    if (jobject holder = jni->GetObjectField(blocker, owner_thread_)) {
      owner.java_thread = fields_.java_thread(jni, holder);
      jni->DeleteLocalRef(holder);
    }
  }
  jni->DeleteLocalRef(klass);
  jni->DeleteLocalRef(blocker);
  return waiting;
}

}  // namespace rec::agent
