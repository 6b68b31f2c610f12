// SPDX-License-Identifier: Apache-2.0
#include "agent/spans/java_spans.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <string>

#include "agent/context/own_contexts.h"
#include "agent/context/span_names.h"
#include "agent/hotspot/vm/class_mirror.h"
#include "agent/hotspot/vm/vm_flags.h"
#include "agent/hotspot/walk/tagger.h"
#include "agent/options/log.h"
#include "agent/spans/span_events.h"
#include "recorder/engine/engine.h"

extern "C" JNIEXPORT jboolean JNICALL Java_rec_Native_link(JNIEnv* jni, jclass native);

namespace rec::agent {
namespace {

constexpr std::string_view kClassName = "rec/Native";
constexpr jsize kMostText = 1024;  // bytes of a name or of labels that are looked at

std::atomic<bool> is_open{false};  // the VM: spans can be written, and Java may be linked

// Virtual threads are threads of the system themselves (-XX:-VMContinuations): what they tell is kept as that of these, where
// handlers look for it. Set before is_open.
std::atomic<bool> are_bound{false};

// Java has the ids as two numbers and one; in memory they stand with the first byte first.
RequestContext java_request(jlong trace_high, jlong trace_low, jlong span, jint name) {
  const auto bytes = [](jlong id) { return __builtin_bswap64(static_cast<uint64_t>(id)); };
  return {{bytes(trace_high), bytes(trace_low)}, bytes(span), static_cast<uint32_t>(name)};
}

// UTF-8 that Java has encoded.
std::string java_text(JNIEnv* jni, jbyteArray bytes) {
  if (bytes == nullptr) return {};
  std::string text(static_cast<size_t>(std::min(jni->GetArrayLength(bytes), kMostText)), '\0');
  jni->GetByteArrayRegion(bytes, 0, static_cast<jsize>(text.size()), reinterpret_cast<jbyte*>(text.data()));
  return text;
}

void JNICALL java_set(JNIEnv*, jclass, jlong virtual_id, jlong trace_high, jlong trace_low, jlong span, jint name) {
  const int64_t mounted_id = are_bound.load(std::memory_order_relaxed) ? 0 : virtual_id;
  if (!write_own_context(mounted_id, java_request(trace_high, trace_low, span, name)))
    Engine::losses().note(Note::kContextsRefused);
}

jlong JNICALL java_begin(JNIEnv*, jclass, jlong virtual_id, jlong trace_high, jlong trace_low, jlong span, jint name) {
  java_set(nullptr, nullptr, virtual_id, trace_high, trace_low, span,
           static_cast<jint>(span_names().used(static_cast<uint32_t>(name))));
  return span_events().start_ticks();
}

void JNICALL java_ended(JNIEnv* jni, jclass, jlong trace_high, jlong trace_low, jlong span, jint name, jlong start,
                        jbyteArray labels) {
  span_events().ended(java_request(trace_high, trace_low, span, name), start, java_text(jni, labels));
}

void JNICALL java_lost(JNIEnv*, jclass) { Engine::losses().note(Note::kSpansLost); }

jint JNICALL java_name(JNIEnv* jni, jclass, jbyteArray text) {
  return static_cast<jint>(span_names().number_of(java_text(jni, text)));
}

template <typename Function>
JNINativeMethod jni_method(const char* of, const char* signature, Function* function) {
  return {const_cast<char*>(of), const_cast<char*>(signature), reinterpret_cast<void*>(function)};
}

bool is_native_class(const Layout& layout, jclass mirror) {
  const uint64_t klass = klass_of_local(layout, mirror);
  return klass != 0 && class_is_named(layout, klass, kClassName);
}

// False: it is another version's.
bool link_native(JNIEnv* jni, jclass native) {
  const JNINativeMethod methods[] = {jni_method("set", "(JJJJI)V", java_set),
                                     jni_method("begin", "(JJJJI)J", java_begin),
                                     jni_method("ended", "(JJJIJ[B)V", java_ended),
                                     jni_method("lost", "()V", java_lost), jni_method("name", "([B)I", java_name)};
  if (jni->RegisterNatives(native, methods, std::size(methods)) == JNI_OK) return true;
  jni->ExceptionClear();
  say(LogLevel::kWarn, "rec.Native on the class path is another version's: contexts and spans of Java are not seen");
  return false;
}

}  // namespace

// release: pairs with the acquire in Java_rec_Native_link(): what spans need is there.
void open_java_spans() {
  are_bound.store(!has_continuations(), std::memory_order_relaxed);
  is_open.store(true, std::memory_order_release);
}

void link_java_spans(JNIEnv* jni, const Layout& layout, jclass mirror) {
  if (!is_native_class(layout, mirror) || !link_native(jni, mirror)) return;
  const jfieldID on = jni->GetStaticFieldID(mirror, "on", "Z");
  if (on != nullptr) jni->SetStaticBooleanField(mirror, on, JNI_TRUE);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
}

void link_prepared_java_spans(JNIEnv* jni, const Layout& layout, jclass mirror) {
  if (!is_native_class(layout, mirror)) return;
  const JNINativeMethod link = jni_method("link", "()Z", Java_rec_Native_link);
  if (jni->RegisterNatives(mirror, &link, 1) != JNI_OK) jni->ExceptionClear();
}

// private static native boolean link(), of the class' initializer.
extern "C" JNIEXPORT jboolean JNICALL Java_rec_Native_link(JNIEnv* jni, jclass native) {
  // acquire: pairs with the release in open_java_spans(). Else link_java_spans() comes later.
  return is_open.load(std::memory_order_acquire) && link_native(jni, native) ? JNI_TRUE : JNI_FALSE;
}

}  // namespace rec::agent
