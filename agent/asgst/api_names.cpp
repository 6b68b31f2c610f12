// SPDX-License-Identifier: Apache-2.0
// The calls of asgst.h for names and numbers.
#include <asgst.h>

#include "agent/asgst/caller_text.h"
#include "agent/asgst/gone_class.h"
#include "agent/asgst/last_error.h"
#include "agent/asgst/session.h"
#include "agent/hotspot/vm/line_reader.h"
#include "agent/hotspot/walk/method_view.h"

namespace rec::agent::asgst {
namespace {

static_assert(sizeof(jint) == 4 && sizeof(jlong) == 8);

// Worst of several texts.
class Texts {
 public:
  void copy(const TextView& text, char*& to, jint& length) {
    const Copied copied = copy_to_caller(text, to, length);
    cut_ |= copied == Copied::kCut;
    unreadable_ |= copied == Copied::kUnreadable;
  }
  int result(int when_unreadable) const { return unreadable_ ? when_unreadable : cut_ ? ASGST_TRUNCATED : ASGST_OK; }

 private:
  bool cut_ = false, unreadable_ = false;
};

MethodView view_of(const Session& of, ASGST_Method method) {
  return view_method(of.layout(), reinterpret_cast<uint64_t>(method));
}

ClassView view_of(const Session& of, ASGST_Class klass) {
  return view_class(of.layout(), reinterpret_cast<uint64_t>(klass));
}

int describe(const Session& of, const MethodView& view, ASGST_MethodInfo& info) {
  info.klass = reinterpret_cast<ASGST_Class>(view.holder.klass);
  info.idnum = view.number;
  info.class_idnum = static_cast<jlong>(view.holder.id);
  info.modifiers = method_modifiers(of.layout(), view);
  Texts texts;
  texts.copy(method_name(of.layout(), view), info.method_name, info.method_name_length);
  texts.copy(method_signature(of.layout(), view), info.signature, info.signature_length);
  texts.copy(generic_signature(of.layout(), view), info.generic_signature, info.generic_signature_length);
  return texts.result(ASGST_BAD_METHOD);
}

int describe(const Session& of, const ClassView& view, ASGST_ClassInfo& info) {
  info.idnum = static_cast<jlong>(view.id);
  info.modifiers = class_modifiers(of.layout(), view);
  Texts texts;
  texts.copy(view.name, info.class_name, info.class_name_length);
  texts.copy(generic_name(of.layout(), view), info.generic_class_name, info.generic_class_name_length);
  return texts.result(ASGST_BAD_CLASS);
}

int describe(const GoneClass& gone, ASGST_ClassInfo& info) {
  info.idnum = static_cast<jlong>(gone.id);
  info.modifiers = gone.modifiers;
  Texts texts;
  texts.copy(gone.name, info.class_name, info.class_name_length);
  texts.copy({}, info.generic_class_name, info.generic_class_name_length);
  return texts.result(ASGST_BAD_CLASS);
}

int write_lines(LineReader lines, ASGST_MethodLineNumberEntry* to, int length) {
  int count = 0;
  for (LineReader::Entry entry; (to == nullptr || count < length) && lines.next(entry); ++count)
    if (to != nullptr) to[count] = {entry.bci, entry.line};
  return count;
}

}  // namespace

extern "C" {

JNIEXPORT int ASGST_GetMethodInfo(ASGST_Method method, ASGST_MethodInfo* info) {
  const Session* of = session();
  if (of == nullptr) return set_last_error(closed_error());
  if (info == nullptr) return set_last_error(ASGST_BAD_ARGUMENT);
  if (info->size < sizeof *info) return set_last_error(ASGST_BAD_SIZE);
  const MethodView view = view_of(*of, method);
  return set_last_error(view ? describe(*of, view, *info) : ASGST_BAD_METHOD);
}

JNIEXPORT jint ASGST_GetMethodIdNum(ASGST_Method method) {
  const Session* of = session();
  if (of == nullptr) return set_last_error(closed_error());
  const MethodView view = view_of(*of, method);
  if (!view) return set_last_error(ASGST_BAD_METHOD);
  set_last_error(ASGST_OK);
  return view.number;
}

JNIEXPORT int ASGST_GetClassInfo(ASGST_Class klass, ASGST_ClassInfo* info) {
  const Session* of = session();
  if (of == nullptr) return set_last_error(closed_error());
  if (info == nullptr) return set_last_error(ASGST_BAD_ARGUMENT);
  if (info->size < sizeof *info) return set_last_error(ASGST_BAD_SIZE);
  if (const GoneClass* gone = gone_class(klass)) return set_last_error(describe(*gone, *info));
  const ClassView view = view_of(*of, klass);
  return set_last_error(view ? describe(*of, view, *info) : ASGST_BAD_CLASS);
}

JNIEXPORT jlong ASGST_GetClassIdNum(ASGST_Class klass) {
  const Session* of = session();
  if (of == nullptr) return set_last_error(closed_error());
  const GoneClass* gone = gone_class(klass);
  const uint64_t id = gone != nullptr ? gone->id : view_of(*of, klass).id;
  if (id == 0) return set_last_error(ASGST_BAD_CLASS);
  set_last_error(ASGST_OK);
  return static_cast<jlong>(id);
}

JNIEXPORT int ASGST_GetMethodLineNumberTable(ASGST_Method method, ASGST_MethodLineNumberEntry* entries, int length) {
  const Session* of = session();
  if (of == nullptr) return set_last_error(closed_error());
  if (length < 0 || (entries == nullptr) != (length == 0)) return set_last_error(ASGST_BAD_ARGUMENT);
  const MethodView view = view_of(*of, method);
  if (!view) return set_last_error(ASGST_BAD_METHOD);
  set_last_error(ASGST_OK);
  return write_lines(LineReader(of->layout(), view.const_method), entries, length);
}

}  // extern "C"

}  // namespace rec::agent::asgst
