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

}  // namespace

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
  if (klass == 0) return;
  const ClassShape shape = class_shape_of(layout_, klass);
  if (shape.id == ClassId::kNone || shape.name.address == nullptr) return;
  if (loader_id_of(layout_, klass) == LoaderId::kNone && !shape.hidden) return;  // the boot loader's classes stay
  auto lease = std::make_unique<ClassLease>(shape, loader_of(klass));
  if (jvmti_->SetTag(mirror, reinterpret_cast<jlong>(lease.get())) == JVMTI_ERROR_NONE)
    lease.release();  // until mirror_freed()
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
  const std::unique_ptr<const ClassLease> lease(reinterpret_cast<const ClassLease*>(tag));
  const EpochPin pin;
  if (!pin) return false;
  Event event;
  event.kind = EventKind::kClassUnload;
  event.ticks = now_ticks();
  event.other = lease->retag(*pin).unit;
  return event.other != 0 && pin->commit(event);
}

}  // namespace rec::agent
