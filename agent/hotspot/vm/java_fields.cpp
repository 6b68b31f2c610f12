// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/java_fields.h"

#include <cstring>
#include <initializer_list>
#include <iterator>

#include "agent/hotspot/vm/class_library.h"
#include "agent/hotspot/vm/class_methods.h"
#include "agent/hotspot/vm/class_mirror.h"
#include "agent/hotspot/vm/heap_object.h"
#include "agent/hotspot/vm/local_refs.h"
#include "agent/hotspot/vm/method_parts.h"
#include "agent/hotspot/vm/symbols.h"

namespace rec::agent {
namespace {

using KlassWord = Layout::Object::KlassWord;
using Reference = Layout::Object::Reference;

constexpr uint32_t kFirstWithContinuations = 21;
constexpr char kKnownText[] = "what we know";
constexpr uint32_t kKnownSize = sizeof kKnownText - 1;
constexpr uint32_t kArrayScan = 32;  // bytes of an array's header that are searched

struct KnownObjects {
  jstring text = nullptr;
  jclass text_class = nullptr, class_class = nullptr, bytes_class = nullptr, objects_class = nullptr;
};

// An array's header is a mark word, a class word and a length; in a compact one the first two are one.
KlassWord class_word_of(jlong bytes_base) {
  if (bytes_base == 12) return KlassWord::kCompact;
  return bytes_base == 16 ? KlassWord::kNarrow : KlassWord::kWide;
}

void find_class_word(JNIEnv* jni, const ClassLibrary& library, const KnownObjects& known, Layout& layout) {
  const uint64_t text = klass_of(layout, jni, known.text_class), mirror = klass_of(layout, jni, known.class_class);
  const KlassWord how = class_word_of(library.array_base(known.bytes_class));
  if (text != 0 && mirror != 0 &&
      look_at(known.text, [&](uint64_t at) { return class_word(layout, at, how) == text; }) &&
      look_at(known.text_class, [&](uint64_t at) { return class_word(layout, at, how) == mirror; }))
    layout.object.klass_word = how;
}

// A String's value is an array of bytes.
void find_reference(JNIEnv* jni, const ClassLibrary& library, const KnownObjects& known, uint32_t value,
                    Layout& layout) {
  const uint64_t bytes = klass_of(layout, jni, known.bytes_class);
  if (bytes == 0 || value == kAbsent) return;
  const bool narrow = library.array_scale(known.objects_class) == 4;
  for (const Reference how : {Reference::kNarrow, Reference::kWide, Reference::kColoured}) {
    if ((how == Reference::kNarrow) != narrow) continue;
    const bool fits = look_at(known.text, [&](uint64_t at) {
      uint64_t array = 0;
      return load_reference(layout, at + value, how, array) && object_of(layout, array, bytes) != 0;
    });
    if (fits) layout.object.reference = how;
  }
}

// Of a Latin-1 string: its characters, and before them how many.
void find_array(const KnownObjects& known, Layout::JavaThreadObject& part, const Layout& layout) {
  look_at(known.text, [&](uint64_t at) {
    uint64_t array = 0;
    char head[kArrayScan + kKnownSize];
    if (!load_reference(layout, at + part.value, array) ||
        !safe_copy(head, reinterpret_cast<const void*>(array), sizeof head))
      return false;
    for (uint32_t data = 8; data <= kArrayScan; ++data)
      if (std::memcmp(head + data, kKnownText, kKnownSize) == 0) part.bytes = data;
    for (uint32_t length = 8; part.bytes != kAbsent && length < part.bytes; length += 4)
      if (u32_at(array + length) == kKnownSize) part.length = length;
    return true;
  });
}

void find_threads(JNIEnv* jni, const ClassLibrary& library, const KnownObjects& known, Layout& layout) {
  Layout::JavaThreadObject part;
  jclass thread = library.find("java/lang/Thread");
  if (thread == nullptr) return;
  part.id = library.offset(thread, "tid");
  part.name = library.offset(thread, "name");
  part.value = library.offset(known.text_class, "value");
  part.coder = library.offset(known.text_class, "coder");
  part.string_class = klass_of(layout, jni, known.text_class);
  part.bytes_class = klass_of(layout, jni, known.bytes_class);
  find_reference(jni, library, known, part.value, layout);
  find_array(known, part, layout);
  layout.thread_object = part;
}

void find_virtual_threads(JNIEnv* jni, const ClassLibrary& library, Layout& layout) {
  jclass virtual_thread = library.find("java/lang/VirtualThread");
  if (virtual_thread == nullptr) return;
  layout.thread_object.continuation = library.offset(virtual_thread, "cont");
  layout.thread_object.virtual_class = klass_of(layout, jni, virtual_thread);
  if (jclass bound = library.find("java/lang/ThreadBuilders$BoundVirtualThread"))
    layout.thread_object.bound_class = klass_of(layout, jni, bound);
}

void find_chunks(JNIEnv* jni, const ClassLibrary& library, Layout& layout) {
  Layout::Continuation part;
  jclass continuation = library.find("jdk/internal/vm/Continuation");
  jclass of_thread = library.find("java/lang/VirtualThread$VThreadContinuation");
  jclass chunk = library.find("jdk/internal/vm/StackChunk");
  if (continuation == nullptr || of_thread == nullptr || chunk == nullptr) return;
  part.klass = klass_of(layout, jni, continuation);
  part.virtual_klass = klass_of(layout, jni, of_thread);
  part.chunk_class = klass_of(layout, jni, chunk);
  part.enter_special = find_method(layout, part.klass, "enterSpecial");
  part.yield = find_method(layout, part.klass, "doYield");
  part.calls_yield = find_method(layout, part.klass, "yield0");
  part.tail = library.offset(continuation, "tail");
  part.child = library.offset(continuation, "child");
  part.parent = library.offset(chunk, "parent");
  part.size = library.offset(chunk, "size");
  part.sp = library.offset(chunk, "sp");
  part.bottom = library.offset(chunk, "bottom");
  if (part.bottom == kAbsent) part.argsize = library.offset(chunk, "argsize");
  // The stack begins where an object without one would end (src/hotspot/share/oops/instanceStackChunkKlass.hpp).
  if (layout.klass.layout_helper != kAbsent && part.chunk_class != 0)
    part.stack = u32_at(part.chunk_class + layout.klass.layout_helper) & ~7u;
  layout.continuation = part;
}

void find_waits(JNIEnv* jni, Layout& layout) {
  jclass unsafe = jni->FindClass("jdk/internal/misc/Unsafe");
  const uint64_t klass = unsafe == nullptr ? 0 : klass_of(layout, jni, unsafe);
  if (klass != 0) layout.waits.park = find_method(layout, klass, "park");
  jclass thread = jni->FindClass("java/lang/Thread");
  const uint64_t thread_klass = thread == nullptr ? 0 : klass_of(layout, jni, thread);
  if (thread_klass == 0) return;
  layout.waits.yield = find_method(layout, thread_klass, "yield0");  // from 19 on
  if (layout.waits.yield == 0) layout.waits.yield = find_method(layout, thread_klass, "yield");
}

bool all_there(std::initializer_list<uint32_t> offsets) {
  for (const uint32_t offset : offsets)
    if (offset == kAbsent) return false;
  return true;
}

bool knows_names(const Layout& layout) {
  const Layout::JavaThreadObject& part = layout.thread_object;
  return layout.object.reference != Reference::kUnknown && part.string_class != 0 && part.bytes_class != 0 &&
         all_there({part.id, part.name, part.value, part.coder, part.length, part.bytes});
}

}  // namespace

void find_java_fields(JNIEnv* jni, Layout& layout) {
  if (layout.mirror.klass == kAbsent || layout.object.klass_word != KlassWord::kUnknown) return;
  const LocalFrame frame(jni);
  if (!frame.pushed()) return;
  find_waits(jni, layout);
  const ClassLibrary library(jni);
  KnownObjects known;
  known.text_class = library.find("java/lang/String");
  known.class_class = library.find("java/lang/Class");
  known.bytes_class = library.find("[B");
  known.objects_class = library.find("[Ljava/lang/Object;");
  known.text = jni->NewStringUTF(kKnownText);
  if (!library.answers() || known.text == nullptr) return;
  find_class_word(jni, library, known, layout);
  find_threads(jni, library, known, layout);
  if (!has_virtual_threads(layout)) return;
  find_virtual_threads(jni, library, layout);
  find_chunks(jni, library, layout);
}

bool has_virtual_threads(const Layout& layout) { return layout.vm_major >= kFirstWithContinuations; }

bool knows_continuations(const Layout& layout) {
  const Layout::Continuation& part = layout.continuation;
  return layout.object.reference != Reference::kUnknown && part.klass != 0 && part.virtual_klass != 0 &&
         part.chunk_class != 0 && (part.bottom != kAbsent || part.argsize != kAbsent) && part.enter_special != 0 &&
         part.yield != 0 && layout.method.code != kAbsent &&
         all_there({part.tail, part.child, part.parent, part.size, part.sp, part.stack});
}

bool knows_thread_names(const Layout& layout) { return knows_names(layout) && layout.thread.object != kAbsent; }

bool knows_thread_objects(const Layout& layout) {
  const Layout::JavaThreadObject& part = layout.thread_object;
  return knows_names(layout) && part.virtual_class != 0 && all_there({part.continuation, layout.thread.running});
}

}  // namespace rec::agent
