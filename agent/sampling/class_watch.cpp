// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/class_watch.h"

#include <algorithm>

#include "agent/hotspot/vm/class_mirror.h"
#include "agent/hotspot/walk/tagger.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {

bool ClassWatch::open(JavaVM* vm, OnClassPrepared on_prepared, OnMirrorFreed on_freed) {
  return tags_.open(vm, on_prepared, on_freed);
}

void ClassWatch::close(JNIEnv* jni) {
  tags_.close(jni);
  const std::lock_guard<std::mutex> lock(mutex_);
  leases_.clear();
  loaders_.clear();
}

void ClassWatch::class_prepared(jclass mirror) {
  const uint64_t klass = klass_of_local(layout_, mirror);
  if (klass == 0 || !tags_.is_open()) return;
  const ClassShape shape = class_shape_of(layout_, klass);
  if (shape.id == ClassId::kNone || shape.name.address == nullptr) return;
  if (loader_id_of(layout_, klass) == LoaderId::kNone && !shape.hidden) return;  // the boot loader's classes stay
  if (tags_.has_tag(mirror)) return;
  const jlong tag = keep(std::make_unique<const ClassLease>(shape, loader_of(klass)));
  if (!tags_.tag(mirror, tag)) give_back(tag);
}

jlong ClassWatch::keep(std::unique_ptr<const ClassLease> lease) {
  const jlong tag = tags_.new_tag();
  const std::lock_guard<std::mutex> lock(mutex_);
  leases_.emplace(tag, std::move(lease));
  return tag;
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
  event.ticks = base::now_ticks();
  event.other = lease->retag(*pin).unit;
  return event.other != 0 && pin->commit(event);
}

}  // namespace rec::agent
