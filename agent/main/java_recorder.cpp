// SPDX-License-Identifier: Apache-2.0
// The native half of rec.Recorder (agent/java/rec): commands from inside the process, by Java. The VM finds the method in the
// libraries of its agents and in those that the class' own loader has loaded (src/hotspot/share/prims/nativeLookup.cpp), so
// it is there after -agentpath, and after System.load().
#include <jni.h>

#include <string>

#include "agent/hotspot/walk/vm_code.h"
#include "agent/main/text_command.h"

namespace rec::agent {
namespace {

enum Part : jsize { kError, kLine, kName, kFilename, kParts };

std::string bytes_of(JNIEnv* jni, jbyteArray array) {
  std::string text(static_cast<size_t>(jni->GetArrayLength(array)), '\0');
  jni->GetByteArrayRegion(array, 0, static_cast<jsize>(text.size()), reinterpret_cast<jbyte*>(text.data()));
  return text;
}

// False: Java has no memory left, and an exception is on its way.
bool put(JNIEnv* jni, jobjectArray parts, Part part, const std::string& text) {
  const auto size = static_cast<jsize>(text.size());
  const jbyteArray bytes = jni->NewByteArray(size);
  if (bytes == nullptr) return false;
  jni->SetByteArrayRegion(bytes, 0, size, reinterpret_cast<const jbyte*>(text.data()));
  jni->SetObjectArrayElement(parts, part, bytes);
  jni->DeleteLocalRef(bytes);
  return jni->ExceptionCheck() == JNI_FALSE;
}

// byte[][]: why it was refused, or nothing; the line for people; the recording's name and file.
jobjectArray as_java(JNIEnv* jni, const Answer& answer) {
  const jclass byte_array = jni->FindClass("[B");
  const jobjectArray parts = byte_array == nullptr ? nullptr : jni->NewObjectArray(kParts, byte_array, nullptr);
  if (parts == nullptr) return nullptr;
  const bool whole = put(jni, parts, kError, answer.error) && put(jni, parts, kLine, answer.line()) &&
                     put(jni, parts, kName, answer.name) && put(jni, parts, kFilename, answer.filename);
  return whole ? parts : nullptr;
}

}  // namespace

// private static native byte[][] carryOut(byte[] text, boolean atStart). At the start the options are those of -javaagent, and
// what is refused is said here, as for -agentpath.
extern "C" JNIEXPORT jobjectArray JNICALL Java_rec_Recorder_carryOut(JNIEnv* jni, jclass, jbyteArray text,
                                                                     jboolean at_start) {
  JavaVM* vm = nullptr;
  if (jni->GetJavaVM(&vm) != JNI_OK) return nullptr;
  if (at_start == JNI_TRUE) enable_debug_non_safepoints();
  const TextCommand command = carry_out_text(vm, bytes_of(jni, text).c_str());
  if (at_start == JNI_TRUE && command.answer && !command.answer->ok()) refuse(command.error(), command.exit_on_error);
  return as_java(jni, command.answer ? *command.answer : Answer{});
}

}  // namespace rec::agent
