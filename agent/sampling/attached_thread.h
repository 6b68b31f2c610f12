// SPDX-License-Identifier: Apache-2.0
// Lets Java know the calling thread while it lives, as a daemon of that name. An ordinary thread that Java does not know.
#pragma once

#include <jni.h>

namespace rec::agent {

class AttachedThread {
 public:
  explicit AttachedThread(JavaVM* vm, const char* name = "rec housekeeper") : vm_(vm) {
    JavaVMAttachArgs arguments{JNI_VERSION_1_8, const_cast<char*>(name), nullptr};
    if (vm_->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&jni_), &arguments) != JNI_OK) jni_ = nullptr;
  }
  ~AttachedThread() {
    if (jni_ != nullptr) vm_->DetachCurrentThread();
  }
  AttachedThread(const AttachedThread&) = delete;
  AttachedThread& operator=(const AttachedThread&) = delete;
  JNIEnv* jni() const { return jni_; }  // null: the VM lets nobody in

 private:
  JavaVM* const vm_;
  JNIEnv* jni_ = nullptr;
};

}  // namespace rec::agent
