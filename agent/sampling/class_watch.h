// SPDX-License-Identifier: Apache-2.0
// ClassWatch tells when a class goes: it tags each class mirror at ClassPrepare, and JVMTI says when a tagged mirror
// was collected. By then nothing of the class is left, so what jdk.ClassUnload shows was read at ClassPrepare and kept
// in a lease.
//
// Names of samples need none of this: they were copied when the class was first seen on a stack.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <memory>
#include <mutex>
#include <unordered_map>

#include "agent/hotspot/vm/layout.h"
#include "agent/sampling/class_tags.h"
#include "recorder/epoch/class_lease.h"

namespace rec::agent {

class ClassWatch {
 public:
  // tags: closed, and nobody else's while it is open.
  ClassWatch(const Layout& layout, ClassTags& tags) : layout_(layout), tags_(tags) {}

  // Ordinary threads that Java knows, to close(), which has to come last. The classes that are there now are tagged too. False: this VM tells nobody; there
  // will be no jdk.ClassUnload.
  bool open(JavaVM* vm, OnClassPrepared on_prepared, OnMirrorFreed on_freed);
  // also(mirror): called for each of them, too, by a local reference.
  template <typename Also>
  void tag_present(JNIEnv* jni, Also also) {
    if (!tags_.is_open()) return;
    tags_.each_prepared_class(jni, [&](jclass mirror) {
      class_prepared(mirror);
      also(mirror);
    });
  }
  void close(JNIEnv* jni);

  void class_prepared(jclass mirror);  // any Java thread
  bool mirror_freed(jlong tag);        // true: an event was committed, a flush is due

 private:
  using LoaderLease = std::shared_ptr<const Lease>;

  LoaderLease loader_of(uint64_t klass);
  LoaderLease known_loader(LoaderId id);
  void remember(LoaderId id, const LoaderLease& lease);
  jlong keep(std::unique_ptr<const ClassLease> lease);
  std::unique_ptr<const ClassLease> give_back(jlong tag);

  static constexpr size_t kSweepAt = 1024;  // loaders remembered before dead ones are looked for

  const Layout& layout_;
  ClassTags& tags_;
  std::mutex mutex_;  // guards all below
  std::unordered_map<uint64_t, std::weak_ptr<const Lease>> loaders_;
  size_t sweep_at_ = kSweepAt;
  std::unordered_map<jlong, std::unique_ptr<const ClassLease>> leases_;  // by tag
};

}  // namespace rec::agent
