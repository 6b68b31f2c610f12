// SPDX-License-Identifier: Apache-2.0
#include "agent/class_watch.h"

#include <algorithm>

#include "agent/hotspot/safe_load.h"
#include "agent/hotspot/tagger.h"
#include "recorder/clock.h"
#include "recorder/engine.h"

namespace rec::agent {
namespace {

uint64_t read_handle(jclass mirror) { return word_at(reinterpret_cast<uint64_t>(mirror)); }

// Arrays are not prepared, and go with their element's class.
bool is_prepared_class(jvmtiEnv* jvmti, jclass mirror) {
  jint status = 0;
  return jvmti->GetClassStatus(mirror, &status) == JVMTI_ERROR_NONE && (status & JVMTI_CLASS_STATUS_PREPARED) != 0;
}

}  // namespace

bool ClassWatch::open(JavaVM* vm, OnPrepared on_prepared, OnFreed on_freed) {
  if (vm->GetEnv(reinterpret_cast<void**>(&jvmti_), JVMTI_VERSION_1_2) != JNI_OK) return jvmti_ = nullptr, false;
  if (enable(on_prepared, on_freed)) return true;
  close();
  return false;
}

bool ClassWatch::enable(OnPrepared on_prepared, OnFreed on_freed) {
  jvmtiCapabilities capabilities{};
  capabilities.can_tag_objects = 1;
  capabilities.can_generate_object_free_events = 1;
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassPrepare = on_prepared;
  callbacks.ObjectFree = on_freed;
  return jvmti_->AddCapabilities(&capabilities) == JVMTI_ERROR_NONE &&
         jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks) == JVMTI_ERROR_NONE &&
         jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE, nullptr) == JVMTI_ERROR_NONE &&
         jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, nullptr) == JVMTI_ERROR_NONE;
}

void ClassWatch::close() {
  if (jvmti_ != nullptr) jvmti_->DisposeEnvironment();
  jvmti_ = nullptr;
  const std::lock_guard<std::mutex> lock(mutex_);
  leases_.clear();
  loaders_.clear();
}

void ClassWatch::tag_present(JNIEnv* jni) {
  jint count = 0;
  jclass* mirrors = nullptr;
  if (jvmti_ == nullptr || jvmti_->GetLoadedClasses(&count, &mirrors) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; ++i) {
    if (is_prepared_class(jvmti_, mirrors[i])) class_prepared(mirrors[i]);
    jni->DeleteLocalRef(mirrors[i]);
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(mirrors));
}

// A local reference is the address of a word that holds the object's address. The object may be moved while we look,
// and then the word changes: so it is read twice.
uint64_t ClassWatch::klass_of(jclass mirror) const {
  if (layout_.mirror_klass == kAbsent) return 0;
  const uint64_t object = read_handle(mirror);
  const uint64_t klass = word_at(object + layout_.mirror_klass);
  return read_handle(mirror) == object ? klass : 0;
}

void ClassWatch::class_prepared(jclass mirror) {
  const uint64_t klass = klass_of(mirror);
  if (klass == 0 || jvmti_ == nullptr) return;
  const ClassShape shape = class_shape_of(layout_, klass);
  if (shape.id == ClassId::kNone || shape.name.address == nullptr) return;
  if (loader_id_of(layout_, klass) == LoaderId::kNone && !shape.hidden) return;  // the boot loader's classes stay
  jlong present = 0;  // a class may be prepared while tag_present() goes round
  if (jvmti_->GetTag(mirror, &present) != JVMTI_ERROR_NONE || present != 0) return;
  const jlong tag = keep(std::make_unique<const ClassLease>(shape, loader_of(klass)));
  if (jvmti_->SetTag(mirror, tag) != JVMTI_ERROR_NONE) give_back(tag);
}

jlong ClassWatch::keep(std::unique_ptr<const ClassLease> lease) {
  const std::lock_guard<std::mutex> lock(mutex_);
  leases_.emplace(++last_tag_, std::move(lease));
  return last_tag_;
}

std::unique_ptr<const ClassLease> ClassWatch::give_back(jlong tag) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = leases_.find(tag);
  if (found == leases_.end()) return nullptr;
  std::unique_ptr<const ClassLease> lease = std::move(found->second);
  leases_.erase(found);
  return lease;
}

ClassWatch::LoaderLease ClassWatch::loader_of(uint64_t klass) {
  const LoaderId id = loader_id_of(layout_, klass);
  if (id == LoaderId::kNone) return nullptr;
  if (LoaderLease known = known_loader(id)) return known;
  auto lease = std::make_shared<Lease>();
  {
    const EpochPin pin;
    if (!pin) return nullptr;
    lease->take_loader(*pin, Tagger(layout_, *pin).loader_of_class(klass));
  }
  remember(id, lease);
  return lease;
}

ClassWatch::LoaderLease ClassWatch::known_loader(LoaderId id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = loaders_.find(static_cast<uint64_t>(id));
  return found == loaders_.end() ? nullptr : found->second.lock();
}

void ClassWatch::remember(LoaderId id, const LoaderLease& lease) {
  const std::lock_guard<std::mutex> lock(mutex_);
  loaders_[static_cast<uint64_t>(id)] = lease;
  if (loaders_.size() < sweep_at_) return;
  std::erase_if(loaders_, [](const auto& entry) { return entry.second.expired(); });
  sweep_at_ = std::max(kSweepAt, loaders_.size() * 2);
}

bool ClassWatch::mirror_freed(jlong tag) {
  const std::unique_ptr<const ClassLease> lease = give_back(tag);
  const EpochPin pin;
  if (!pin || !lease) return false;
  Event event;
  event.kind = EventKind::kClassUnload;
  event.ticks = now_ticks();
  event.other = lease->retag(*pin).unit;
  return event.other != 0 && pin->commit(event);
}

}  // namespace rec::agent
