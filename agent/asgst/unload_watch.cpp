// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/unload_watch.h"

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "agent/asgst/gone_class.h"
#include "agent/hotspot/vm/class_mirror.h"
#include "agent/hotspot/vm/symbols.h"
#include "agent/hotspot/walk/method_view.h"
#include "agent/hotspot/walk/tagger.h"
#include "agent/sampling/class_tags.h"

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
  void prepared(jclass mirror);
  void freed(jlong tag);

 private:
  std::unique_ptr<Noted> note(uint64_t klass) const;

  const Session& session_;
  const OnGone on_gone_;
  ClassTags tags_;
  std::mutex mutex_;  // guards what follows
  std::unordered_map<jlong, std::unique_ptr<Noted>> noted_;
};

UnloadWatch* the_watch = nullptr;  // set before the events are enabled, and never again
GoneClass shown;                   // to handlers, under showing()

std::mutex& showing() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

void JNICALL on_class_prepare(jvmtiEnv*, JNIEnv*, jthread, jclass mirror) { the_watch->prepared(mirror); }
void JNICALL on_object_free(jvmtiEnv*, jlong tag) { the_watch->freed(tag); }

bool UnloadWatch::open() {
  the_watch = this;
  JNIEnv* jni = session_.jni();
  return jni != nullptr && tags_.open(session_.java_vm, on_class_prepare, on_object_free) &&
         tags_.each_prepared_class(jni, [&](jclass mirror) { prepared(mirror); });
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
  return copy_text(view.name, noted->name.data()) ? std::move(noted) : nullptr;
}

void UnloadWatch::prepared(jclass mirror) {
  std::unique_ptr<Noted> noted = note(klass_of_local(session_.layout(), mirror));
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!noted || tags_.has_tag(mirror)) return;
  const jlong tag = tags_.new_tag();
  if (tags_.tag(mirror, tag)) noted_.emplace(tag, std::move(noted));
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
