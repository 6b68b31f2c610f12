// SPDX-License-Identifier: Apache-2.0
// WaitReader finds out what a thread waits for, without a handshake: the monitor that the VM noted in the thread, or
// the object that java.util.concurrent noted in Thread.parkBlocker. Ordinary threads that Java knows, in the live
// phase.
//
// A monitor's object is read by safe loads through the VM's weak handle, as the collector colours it (heap_object.h),
// and its class counts only if the class' mirror leads back to it. An object that is just being moved may have no class
// then: the monitor is known.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <string>

#include "agent/hotspot/state/waiting.h"
#include "agent/hotspot/vm/layout.h"
#include "agent/hotspot/vm/thread_fields.h"

namespace rec::agent {

class WaitReader {
 public:
  WaitReader(const Layout& layout, const ThreadFields& fields) : layout_(layout), fields_(fields) {}

  void open(jvmtiEnv* jvmti, JNIEnv* jni);  // what is not there is not read

  Waiting monitor_of(uint64_t java_thread, OwnerWord& owner) const;
  Waiting blocker_of(JNIEnv* jni, jthread thread, OwnerWord& owner) const;

 private:
  bool read_object(Waiting& waiting) const;
  std::string class_in(uint64_t java_thread) const;

  const Layout& layout_;
  const ThreadFields& fields_;
  jvmtiEnv* jvmti_ = nullptr;
  jfieldID park_blocker_ = nullptr, owner_thread_ = nullptr;
  jclass synchronizer_ = nullptr;  // AbstractOwnableSynchronizer, a global reference
};

}  // namespace rec::agent
