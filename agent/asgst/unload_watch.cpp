// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/unload_watch.h"

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "agent/asgst/class_mirror.h"
#include "agent/asgst/gone_class.h"
#include "agent/asgst/method_view.h"
#include "agent/hotspot/safe_load.h"
#include "agent/hotspot/tagger.h"

namespace rec::agent::asgst {
namespace {

struct Noted {
  uint64_t id = 0;
  std::string name;
  int32_t modifiers = -1;
};

class UnloadWatch {
 public:
  UnloadWatch(const Session& session, OnGone on_gone) : session_(session), on_gone_(on_gone) {}

  bool open();
  void prepared(JNIEnv* jni, jclass mirror);
  void freed(jlong tag);

 private:
  bool enable();
  bool tag_present();
  bool is_new(jclass mirror);
  std::unique_ptr<Noted> note(uint64_t klass) const;

  const Session& session_;
  const OnGone on_gone_;
  jvmtiEnv* jvmti_ = nullptr;  // of its own: the tags are
  std::mutex mutex_;           // guards what follows
  std::unordered_map<jlong, std::unique_ptr<Noted>> noted_;
  jlong last_tag_ = 0;
};

UnloadWatch* the_watch = nullptr;  // set before the events are enabled, and never again
GoneClass shown;                   // to handlers, under showing()

std::mutex& showing() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

void JNICALL on_class_prepare(jvmtiEnv*, JNIEnv* jni, jthread, jclass mirror) { the_watch->prepared(jni, mirror); }
void JNICALL on_object_free(jvmtiEnv*, jlong tag) { the_watch->freed(tag); }

bool UnloadWatch::open() {
  if (session_.java_vm->GetEnv(reinterpret_cast<void**>(&jvmti_), JVMTI_VERSION_1_2) != JNI_OK) return false;
  the_watch = this;
  return enable() && tag_present();
}

bool UnloadWatch::enable() {
  jvmtiCapabilities capabilities{};
  capabilities.can_tag_objects = 1;
  capabilities.can_generate_object_free_events = 1;
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassPrepare = on_class_prepare;
  callbacks.ObjectFree = on_object_free;
  return jvmti_->AddCapabilities(&capabilities) == JVMTI_ERROR_NONE &&
         jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks) == JVMTI_ERROR_NONE &&
         jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE, nullptr) == JVMTI_ERROR_NONE &&
         jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, nullptr) == JVMTI_ERROR_NONE;
}

bool UnloadWatch::tag_present() {
  JNIEnv* jni = session_.jni();
  jint count = 0;
  jclass* mirrors = nullptr;
  if (jni == nullptr || jvmti_->GetLoadedClasses(&count, &mirrors) != JVMTI_ERROR_NONE) return false;
  for (jint i = 0; i < count; ++i) {
    jint status = 0;
    const bool known = jvmti_->GetClassStatus(mirrors[i], &status) == JVMTI_ERROR_NONE;
    if (known && (status & JVMTI_CLASS_STATUS_PREPARED) != 0) prepared(jni, mirrors[i]);
    jni->DeleteLocalRef(mirrors[i]);
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(mirrors));
  return true;
}

// A class may be prepared while tag_present() goes round.
bool UnloadWatch::is_new(jclass mirror) {
  jlong tag = 0;
  return jvmti_->GetTag(mirror, &tag) == JVMTI_ERROR_NONE && tag == 0;
}

// nullptr for what never goes: the boot loader's classes, but for hidden ones.
std::unique_ptr<Noted> UnloadWatch::note(uint64_t klass) const {
  const Layout& layout = session_.layout();
  const ClassView view = view_class(layout, klass);
  if (!view) return nullptr;
  if (loader_id_of(layout, klass) == LoaderId::kNone && !class_shape_of(layout, klass).hidden) return nullptr;
  auto noted = std::make_unique<Noted>();
  noted->id = view.id;
  noted->modifiers = class_modifiers(layout, view);
  noted->name.resize(view.name.size);
  return safe_copy(noted->name.data(), view.name.address, view.name.size) ? std::move(noted) : nullptr;
}

void UnloadWatch::prepared(JNIEnv* jni, jclass mirror) {
  std::unique_ptr<Noted> noted = note(klass_of(session_, jni, mirror));
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!noted || !is_new(mirror)) return;
  if (jvmti_->SetTag(mirror, ++last_tag_) == JVMTI_ERROR_NONE) noted_.emplace(last_tag_, std::move(noted));
}

void UnloadWatch::freed(jlong tag) {
  std::unique_ptr<Noted> gone;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = noted_.find(tag);
    if (found == noted_.end()) return;
    gone = std::move(found->second);
    noted_.erase(found);
  }
  const std::lock_guard<std::mutex> lock(showing());
  shown = {gone->id, {gone->name.data(), static_cast<uint16_t>(gone->name.size())}, gone->modifiers};
  on_gone_(&shown);
  shown = {};
}

}  // namespace

const GoneClass* gone_class(const void* klass) { return klass == &shown ? &shown : nullptr; }

bool start_unload_watch(const Session& session, OnGone on_gone) { return (new UnloadWatch(session, on_gone))->open(); }

}  // namespace rec::agent::asgst
