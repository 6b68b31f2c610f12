// SPDX-License-Identifier: Apache-2.0
// The calls of asgst.h for names and numbers.
#include <asgst.h>

#include <cstddef>

#include "agent/asgst/gone_class.h"
#include "agent/asgst/last_error.h"
#include "agent/asgst/session.h"
#include "agent/asgst/texts.h"
#include "agent/hotspot/vm/line_reader.h"
#include "agent/hotspot/walk/method_view.h"

namespace rec::agent::asgst {
namespace {

static_assert(sizeof(jint) == 4 && sizeof(jlong) == 8);

// What programs were compiled with stays as it was.
constexpr size_t kMethod1 = 80, kClass1 = 48;
static_assert(sizeof(ASGST_MethodInfo) == kMethod1);
static_assert(offsetof(ASGST_ClassInfo, source_file) == kClass1 && sizeof(ASGST_ClassInfo) == 120);

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

void copy_home(const ClassHome& home, Texts& texts, ASGST_ClassInfo& info) {
  texts.copy(home.source_file, info.source_file, info.source_file_length);
  texts.copy(home.module_name, info.module_name, info.module_name_length);
  texts.copy(home.loader_name, info.loader_name, info.loader_name_length);
  texts.copy(home.loader_class, info.loader_class_name, info.loader_class_name_length);
  info.loader_idnum = static_cast<jlong>(home.loader_id);
}

int describe(const Session& of, const ClassView& view, ASGST_ClassInfo& info) {
  info.idnum = static_cast<jlong>(view.id);
  info.modifiers = class_modifiers(of.layout(), view);
  Texts texts;
  texts.copy(view.name, info.class_name, info.class_name_length);
  texts.copy(generic_name(of.layout(), view), info.generic_class_name, info.generic_class_name_length);
  if (info.size >= sizeof info) copy_home(home_of(of.layout(), view), texts, info);
  return texts.result(ASGST_BAD_CLASS);
}

int describe(const GoneClass& gone, ASGST_ClassInfo& info) {
  info.idnum = static_cast<jlong>(gone.id);
  info.modifiers = gone.modifiers;
  Texts texts;
  texts.copy(gone.name, info.class_name, info.class_name_length);
  texts.copy({}, info.generic_class_name, info.generic_class_name_length);
  if (info.size >= sizeof info) copy_home({}, texts, info);
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
  if (info->size < kMethod1) return set_last_error(ASGST_BAD_SIZE);
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
  if (info->size < kClass1) return set_last_error(ASGST_BAD_SIZE);
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
