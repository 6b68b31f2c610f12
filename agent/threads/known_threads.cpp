// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/known_threads.h"

#include <utility>

namespace rec::agent {

KnownThread& KnownThreads::of(uint64_t java_thread, int32_t os_id, int64_t java_id) {
  KnownThread& known = now_.emplace_back();
  if (const size_t at = find(java_thread); at < before_.size()) {
    next_ = at + 1;
    KnownThread& before = before_[at];
    if (before.os_id == os_id && before.java_id == java_id) {
      known = std::move(before);
      known.is_new = false;
      return known;
    }
  }
  known.java_thread = java_thread;
  known.os_id = os_id;
  known.java_id = java_id;
  return known;
}

size_t KnownThreads::find(uint64_t java_thread) {
  if (next_ < before_.size() && before_[next_].java_thread == java_thread) return next_;
  if (index_.empty())
    for (size_t i = 0; i < before_.size(); ++i) index_.emplace(before_[i].java_thread, i);
  const auto at = index_.find(java_thread);
  return at == index_.end() ? before_.size() : at->second;
}

void KnownThreads::end() {
  before_.swap(now_);
  now_.clear();
  next_ = 0;
  index_.clear();
}

void KnownThreads::forget() {
  before_.clear();
  end();
}

}  // namespace rec::agent
