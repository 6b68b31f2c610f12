// SPDX-License-Identifier: Apache-2.0
#include "agent/hooks/boot_caller.h"

namespace rec::agent {
namespace {

constexpr char kBinder[] = "rec/agent/Binder";

// clang-format off
constexpr unsigned char kClass[] = {
    0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 11,                                                          // Java 8; 10 constants
    1, 0, 16, 'r', 'e', 'c', '/', 'a', 'g', 'e', 'n', 't', '/', 'B', 'i', 'n', 'd', 'e', 'r',            // 1
    7, 0, 1,                                                                                             // 2: class 1
    1, 0, 16, 'j', 'a', 'v', 'a', '/', 'l', 'a', 'n', 'g', '/', 'O', 'b', 'j', 'e', 'c', 't',            // 3
    7, 0, 3,                                                                                             // 4: class 3
    1, 0, 4, 'b', 'i', 'n', 'd',                                                                         // 5
    1, 0, 3, '(', ')', 'V',                                                                              // 6
    1, 0, 3, 'r', 'u', 'n',                                                                              // 7
    1, 0, 4, 'C', 'o', 'd', 'e',                                                                         // 8
    12, 0, 5, 0, 6,                                                                                      // 9: bind()V
    10, 0, 2, 0, 9,                                                                                      // 10: Binder.bind()V
    0, 0x31, 0, 2, 0, 4, 0, 0, 0, 0,                                                                     // public final class 2 extends 4
    0, 2,                                                                                                // methods
    1, 9, 0, 5, 0, 6, 0, 0,                                                                              // public static native bind()V
    0, 9, 0, 7, 0, 6, 0, 1,                                                                              // public static run()V
    0, 8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 4, 0xb8, 0, 10, 0xb1, 0, 0, 0, 0,                            // invokestatic 10; return
    0, 0};
// clang-format on

// What bind() is about: set before it is called, by the thread that calls.
struct Wish {
  jclass klass = nullptr;
  const JNINativeMethod* method = nullptr;
  bool done = false;
};
Wish* the_wish = nullptr;

void JNICALL bind(JNIEnv* jni, jclass) {
  if (the_wish != nullptr) the_wish->done = jni->RegisterNatives(the_wish->klass, the_wish->method, 1) == JNI_OK;
}

void clear(JNIEnv* jni) {
  if (jni->ExceptionCheck()) jni->ExceptionClear();
}

// Defined before by another copy of this library, or by us.
jclass binder(JNIEnv* jni) {
  jclass known = jni->FindClass(kBinder);
  clear(jni);
  if (known != nullptr) return known;
  known = jni->DefineClass(kBinder, nullptr, reinterpret_cast<const jbyte*>(kClass), sizeof kClass);
  clear(jni);
  return known;
}

}  // namespace

// The one method id is that of our own class.
const char* bind_native(JNIEnv* jni, jclass klass, const JNINativeMethod& method) {
  const jclass caller = binder(jni);
  if (caller == nullptr) return "the boot loader takes no class of ours";
  const JNINativeMethod own{const_cast<char*>("bind"), const_cast<char*>("()V"), reinterpret_cast<void*>(bind)};
  Wish wish{klass, &method};
  const jmethodID run = jni->GetStaticMethodID(caller, "run", "()V");
  if (run != nullptr && jni->RegisterNatives(caller, &own, 1) == JNI_OK) {
    the_wish = &wish;
    jni->CallStaticVoidMethod(caller, run);
    the_wish = nullptr;
  }
  clear(jni);
  jni->DeleteLocalRef(caller);
  return wish.done ? "" : "the VM does not bind it";
}

}  // namespace rec::agent
