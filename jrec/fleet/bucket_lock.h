// SPDX-License-Identifier: Apache-2.0
// BucketLock keeps exports to one data set of an object store apart: an object _rec/lock, made only if there is none, which says until when
// it counts. Whoever holds it writes it anew in time, and removes it at the end; what a killed export has left counts for kLease_s
// at most, and is then taken over.
//
//   until 1795716000
//   web-1 4711 9f0c1a...      whose it is, and which
//
// The store must know conditional writes (If-None-Match, If-Match), which is tried. Clocks should be right to a minute.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "jrec/http/object_store.h"

namespace jrec {

class BucketLock {
 public:
  static constexpr int64_t kLease_s = 600;

  // Waits for another one, and says so. kUsage: the store knows no conditional writes.
  static base::Result<std::unique_ptr<BucketLock>> take(ObjectStore& store);
  ~BucketLock();
  BucketLock(const BucketLock&) = delete;
  BucketLock& operator=(const BucketLock&) = delete;

  // Before each write. kSystem: somebody else has it now, so nothing may be written any more.
  base::Status hold();

 private:
  BucketLock(ObjectStore& store, std::string owner) : store_(store), owner_(std::move(owner)) {}
  std::string text() const;
  base::Result<bool> try_take();

  ObjectStore& store_;
  const std::string owner_;  // one line
  std::string etag_;         // empty: not ours
  int64_t taken_s_ = 0;
  int64_t other_s_ = 0;  // for how long the lock of somebody else counts
};

}  // namespace jrec
