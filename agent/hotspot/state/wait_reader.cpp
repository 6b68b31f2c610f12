// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/wait_reader.h"

#include <algorithm>

#include "agent/hotspot/vm/heap_object.h"
#include "agent/hotspot/vm/local_refs.h"
#include "agent/hotspot/vm/symbols.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

// "Ljava/lang/Object;" -> "java.lang.Object"; arrays as they are.
std::string external(std::string signature) {
  if (signature.size() > 2 && signature.front() == 'L') signature = signature.substr(1, signature.size() - 2);
  std::replace(signature.begin(), signature.end(), '/', '.');
  return signature;
}

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
  if (layout_.monitor.object == kAbsent) return waiting;
  const uint64_t handle = waiting.monitor + layout_.monitor.object;
  uint64_t object = 0, afterwards = 0;
  if (!load_handle(layout_, handle, object)) return waiting;
  waiting.klass = class_of_object(object);
  const bool stood_still = load_handle(layout_, handle, afterwards) && afterwards == object;
  if (waiting.klass.empty() || !stood_still)
    waiting.klass.clear();
  else
    waiting.object = object;
  return waiting;
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
    waiting.klass = external(signature);
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

std::string WaitReader::class_name(uint64_t klass) const {
  const TextView text = symbol_text(layout_, u64_at(klass + layout_.klass.name));
  std::string name(text.size, '\0');
  if (text.size == 0 || !safe_copy(name.data(), text.address, text.size)) return {};
  return external(name);
}

// Klass -> its mirror, an object in the heap -> Klass.
bool WaitReader::is_klass(uint64_t klass) const {
  if (klass == 0 || (klass & 7) != 0 || layout_.mirror.klass == kAbsent || layout_.klass.mirror == kAbsent)
    return false;
  uint64_t mirror = 0;
  return load_handle(layout_, klass + layout_.klass.mirror, mirror) && mirror != 0 &&
         u64_at(mirror + layout_.mirror.klass) == klass;
}

// Only one reading of the header leads to a class.
std::string WaitReader::class_of_object(uint64_t object) const {
  if (object == 0 || (object & 7) != 0) return {};
  using KlassWord = Layout::Object::KlassWord;
  for (const KlassWord how : {KlassWord::kNarrow, KlassWord::kWide, KlassWord::kCompact})
    if (const uint64_t klass = class_word(layout_, object, how); is_klass(klass)) return class_name(klass);
  return {};
}

}  // namespace rec::agent
