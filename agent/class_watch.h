// SPDX-License-Identifier: Apache-2.0
// ClassWatch tells when a class goes: it tags each class mirror at ClassPrepare, and JVMTI says when a tagged mirror
// was collected. By then nothing of the class is left, so what jdk.ClassUnload shows was read at ClassPrepare and kept
// in a lease.
//
// Names of samples need none of this: they were copied when the class was first seen on a stack.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "agent/hotspot/layout.h"
#include "recorder/class_lease.h"

namespace rec::agent {

class ClassWatch {
 public:
  ClassWatch(jvmtiEnv* jvmti, const Layout& layout) : jvmti_(jvmti), layout_(layout) {}

  void class_prepared(jclass mirror);  // any Java thread
  bool mirror_freed(jlong tag);        // true: an event was committed, a flush is due

 private:
  using LoaderLease = std::shared_ptr<const Lease>;

  uint64_t klass_of(jclass mirror) const;
  LoaderLease loader_of(uint64_t klass);
  LoaderLease known_loader(LoaderId id);
  void remember(LoaderId id, const LoaderLease& lease);

  static constexpr size_t kSweepAt = 1024;  // loaders remembered before dead ones are looked for

  jvmtiEnv* const jvmti_;
  const Layout& layout_;
  std::mutex mutex_;
  std::unordered_map<uint64_t, std::weak_ptr<const Lease>> loaders_;  // under mutex_
  size_t sweep_at_ = kSweepAt;                                        // under mutex_
};

}  // namespace rec::agent
