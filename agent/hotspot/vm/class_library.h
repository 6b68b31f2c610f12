// SPDX-License-Identifier: Apache-2.0
// What the class library tells of itself: where fields are (jdk.internal.misc.Unsafe), and what static ones hold. Ordinary
// threads that Java knows, in the live phase.
#pragma once

#include <jni.h>

#include <cstdint>

#include "agent/hotspot/vm/boot_class.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// Local references are given back at its end, and an exception of ours is nobody else's.
class LocalFrame {
 public:
  explicit LocalFrame(JNIEnv* jni) : jni_(jni), pushed_(jni->PushLocalFrame(kRefs) == JNI_OK) {}
  ~LocalFrame() {
    jni_->ExceptionClear();
    if (pushed_) jni_->PopLocalFrame(nullptr);
  }
  LocalFrame(const LocalFrame&) = delete;
  LocalFrame& operator=(const LocalFrame&) = delete;
  bool pushed() const { return pushed_; }

 private:
  static constexpr jint kRefs = 128;

  JNIEnv* const jni_;
  const bool pushed_;
};

// Asks the class library where its fields are, and for what they hold. Nothing it is asked throws.
class ClassLibrary {
 public:
  explicit ClassLibrary(JNIEnv* jni) : jni_(jni) {
    jclass type = find("jdk/internal/misc/Unsafe");
    if (type == nullptr) return;
    jmethodID get = quietly(jni->GetStaticMethodID(type, "getUnsafe", "()Ljdk/internal/misc/Unsafe;"));
    offset_ = quietly(jni->GetMethodID(type, "objectFieldOffset", "(Ljava/lang/Class;Ljava/lang/String;)J"));
    if (get != nullptr && offset_ != nullptr) unsafe_ = quietly(jni->CallStaticObjectMethod(type, get));
  }

  bool answers() const { return unsafe_ != nullptr; }
  // Not initialised, as JNI's FindClass would have it: VirtualThread starts a thread then, which is for the application to
  // bring about.
  jclass find(const char* name) const { return quietly(find_boot_class(jni_, name)); }

  // What a static field holds, its class initialised. Null: there is no such field.
  jobject static_object(jclass klass, const char* name, const char* type) const {
    jfieldID field = klass == nullptr ? nullptr : quietly(jni_->GetStaticFieldID(klass, name, type));
    return field == nullptr ? nullptr : quietly(jni_->GetStaticObjectField(klass, field));
  }
  // What a constant int holds, which it does from when its class is loaded: that is not initialised. JNI would do so.
  jint constant(jclass klass, const char* name, jint otherwise) const {
    jobject field = klass == nullptr ? nullptr : field_of(klass, name);
    jclass type = jni_->GetObjectClass(unsafe_);
    jmethodID offset = quietly(jni_->GetMethodID(type, "staticFieldOffset", "(Ljava/lang/reflect/Field;)J"));
    jmethodID get = quietly(jni_->GetMethodID(type, "getInt", "(Ljava/lang/Object;J)I"));
    if (field == nullptr || offset == nullptr || get == nullptr) return otherwise;
    const jlong at = jni_->CallLongMethod(unsafe_, offset, field);
    if (!jni_->ExceptionCheck()) return jni_->CallIntMethod(unsafe_, get, klass, at);
    jni_->ExceptionClear();
    return otherwise;
  }

  // Of an array's elements: where the first lies, and how far apart they are. 0: not told.
  jlong array_base(jclass array) const { return of_array("arrayBaseOffset", array); }
  jlong array_scale(jclass array) const { return of_array("arrayIndexScale", array); }

  // kAbsent: there is no such field.
  uint32_t offset(jclass klass, const char* name) const {
    jstring text = quietly(jni_->NewStringUTF(name));
    if (klass == nullptr || text == nullptr) return kAbsent;
    const jlong offset = jni_->CallLongMethod(unsafe_, offset_, klass, text);
    if (!jni_->ExceptionCheck()) return static_cast<uint32_t>(offset);
    jni_->ExceptionClear();
    return kAbsent;
  }

 private:
  jobject field_of(jclass klass, const char* name) const {
    constexpr char kType[] = "(Ljava/lang/String;)Ljava/lang/reflect/Field;";
    jmethodID get = quietly(jni_->GetMethodID(jni_->GetObjectClass(klass), "getDeclaredField", kType));
    jstring text = quietly(jni_->NewStringUTF(name));
    return get == nullptr || text == nullptr ? nullptr : quietly(jni_->CallObjectMethod(klass, get, text));
  }

  // An int; in newer versions some are longs.
  jlong of_array(const char* question, jclass array) const {
    jclass type = jni_->GetObjectClass(unsafe_);
    jmethodID as_int = quietly(jni_->GetMethodID(type, question, "(Ljava/lang/Class;)I"));
    jmethodID as_long = quietly(jni_->GetMethodID(type, question, "(Ljava/lang/Class;)J"));
    if (array == nullptr || (as_int == nullptr && as_long == nullptr)) return 0;
    const jlong answer = as_long != nullptr ? jni_->CallLongMethod(unsafe_, as_long, array)
                                            : jni_->CallIntMethod(unsafe_, as_int, array);
    if (!jni_->ExceptionCheck()) return answer;
    jni_->ExceptionClear();
    return 0;
  }

  template <typename T>
  T quietly(T value) const {
    if (!jni_->ExceptionCheck()) return value;
    jni_->ExceptionClear();
    return nullptr;
  }

  JNIEnv* const jni_;
  jobject unsafe_ = nullptr;
  jmethodID offset_ = nullptr;
};

}  // namespace rec::agent
