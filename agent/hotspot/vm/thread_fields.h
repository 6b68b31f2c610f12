// SPDX-License-Identifier: Apache-2.0
// ThreadFields reads what a java.lang.Thread says of itself: by JNI, from its fields. JVMTI has the same, but looks
// through the list of all threads for each call (ThreadsListHandle::cv_internal_thread_to_JavaThread), which makes a
// dump quadratic; and it would name things that nobody asked for.
//
// Threads that Java knows, in the live phase. What a class library does not have is not known: 0, or empty.
#pragma once

#include <jni.h>

#include <cstdint>
#include <string>

namespace rec::agent {

class ThreadFields {
 public:
  bool open(JNIEnv* jni);  // again without effect. False: not even java_thread() and id() can be had

  // Thread.eetop leads to the JavaThread from the thread's start to its end, and never to another one; 0: it has ended.
  uint64_t java_thread(JNIEnv* jni, jobject thread) const;
  int64_t id(JNIEnv* jni, jobject thread) const;
  std::string name(JNIEnv* jni, jobject thread) const;

  jobject park_blocker(JNIEnv* jni, jobject thread) const;  // a local reference; null: none, or not known

  struct Status {
    uint32_t state = 0;  // the bits of JVMTI's thread states
    int32_t priority = 0;
    bool daemon = false;
  };
  Status status(JNIEnv* jni, jobject thread) const;

 private:
  Status status_in(JNIEnv* jni, jobject holder) const;

  jfieldID eetop_ = nullptr, tid_ = nullptr, name_ = nullptr, park_blocker_ = nullptr;
  jfieldID holder_ = nullptr;  // Thread.holder, from JDK 19 on; what follows is in it, else in the thread
  jfieldID status_ = nullptr, priority_ = nullptr, daemon_ = nullptr;
};

}  // namespace rec::agent
