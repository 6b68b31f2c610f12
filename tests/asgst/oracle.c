// SPDX-License-Identifier: Apache-2.0
// Holds asgst.h against JVMTI, for every method of every loaded class, and against a redefinition. It links librec.so, so
// that this way of using it is tried too.
//
//   java -agentpath:asgst_oracle.so AsgstOracle         calls back (native methods): check(), redefining(Class, Class)
#include <asgst.h>
#include <jvmti.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/asgst/oracle.h"

enum { kText = 1 << 16, kLines = 70000, kFrames = 256 };

static JavaVM* java_vm;
jvmtiEnv* jvmti;
static int wrong, said;
static char method_name[kText], signature[kText], generic[kText], generic_class[kText];
char class_name[kText];
static char source_file[kText], module_name[kText], loader_name[kText], loader_class[kText];
static ASGST_MethodLineNumberEntry lines[kLines];

int expect(bool good, const char* what, ...) {
  if (good) return 0;
  ++wrong;
  if (++said > 20) return 1;
  va_list list;
  va_start(list, what);
  printf("WRONG ");
  vprintf(what, list);
  printf("\n");
  va_end(list);
  return 1;
}

bool same(const char* ours, const char* theirs) {
  return ours == NULL || theirs == NULL ? ours == theirs : strcmp(ours, theirs) == 0;
}

// "Ljava/lang/String;" of JVMTI is "java/lang/String" of the VM, "[I" is "[I", and of a hidden class "LFoo.0x1;" "Foo+0x1".
bool same_class(const char* ours, const char* theirs) {
  if (theirs[0] != 'L') return strcmp(ours, theirs) == 0;
  const size_t size = strlen(ours);
  if (strlen(theirs) != size + 2) return false;
  for (size_t i = 0; i < size; ++i)
    if (ours[i] != theirs[i + 1] && !(ours[i] == '+' && theirs[i + 1] == '.')) return false;
  return true;
}

void release(void* memory) {
  if (memory != NULL) (*jvmti)->Deallocate(jvmti, memory);
}

static ASGST_MethodInfo method_request(void) {
  return (ASGST_MethodInfo){.size = sizeof(ASGST_MethodInfo),
                            .method_name = method_name,
                            .method_name_length = kText,
                            .signature = signature,
                            .signature_length = kText,
                            .generic_signature = generic,
                            .generic_signature_length = kText};
}

static ASGST_ClassInfo class_request(void) {
  return (ASGST_ClassInfo){.size = sizeof(ASGST_ClassInfo),
                           .class_name = class_name,
                           .class_name_length = kText,
                           .generic_class_name = generic_class,
                           .generic_class_name_length = kText,
                           .source_file = source_file,
                           .source_file_length = kText,
                           .module_name = module_name,
                           .module_name_length = kText,
                           .loader_name = loader_name,
                           .loader_name_length = kText,
                           .loader_class_name = loader_class,
                           .loader_class_name_length = kText};
}

static long compared_methods, compared_lines, compared_generics, compared_classes, cut_texts;

static void check_lines(ASGST_Method method, jmethodID id) {
  jint count = 0;
  jvmtiLineNumberEntry* table = NULL;
  if ((*jvmti)->GetLineNumberTable(jvmti, id, &count, &table) != JVMTI_ERROR_NONE) count = 0;
  expect(ASGST_GetMethodLineNumberTable(method, NULL, 0) == count, "%s: lines counted", method_name);
  const int got = ASGST_GetMethodLineNumberTable(method, lines, kLines);
  if (expect(got == count, "%s: %d lines, not %d", method_name, got, count)) return release(table);
  for (jint i = 0; i < count; ++i)
    expect(lines[i].start_bci == table[i].start_location && lines[i].line_number == table[i].line_number,
           "%s.%s: line %d", class_name, method_name, i);
  compared_lines += count;
  if (count > 1) expect(ASGST_GetMethodLineNumberTable(method, lines, 1) == 1, "one line");
  release(table);
}

// A buffer that is too small: cut, told, ended, and the whole length given.
static void check_cut(ASGST_Method method) {
  char small[4] = {'x', 'x', 'x', 'x'};
  ASGST_MethodInfo info = {.size = sizeof info, .method_name = small, .method_name_length = 3};
  const int result = ASGST_GetMethodInfo(method, &info);
  const size_t whole = strlen(method_name);
  expect(info.method_name_length == (jint)whole, "cut: length");
  expect(result == (whole >= 3 ? ASGST_TRUNCATED : ASGST_OK), "cut: result %d", result);
  expect(strncmp(small, method_name, 2) == 0 && small[whole < 2 ? whole : 2] == 0 && small[3] == 'x', "cut: text");
  expect(info.signature == NULL && info.signature_length == (jint)strlen(signature), "not wanted: length");
  ++cut_texts;
}

static void check_method(jmethodID id, ASGST_Class klass, jlong class_idnum, unsigned char* seen) {
  char *name = NULL, *descriptor = NULL, *generics = NULL;
  jint modifiers = 0;
  (*jvmti)->GetMethodName(jvmti, id, &name, &descriptor, &generics);
  (*jvmti)->GetMethodModifiers(jvmti, id, &modifiers);
  const ASGST_Method method = ASGST_JMethodIDToMethod(id);
  ASGST_MethodInfo info = method_request();
  const int result = ASGST_GetMethodInfo(method, &info);
  if (!expect(result == ASGST_OK, "%s%s: %s", name, descriptor, ASGST_ErrorName(result))) {
    expect(same(info.method_name, name), "%s: name %s", name, info.method_name);
    expect(same(info.signature, descriptor), "%s: signature %s", name, info.signature);
    expect(same(info.generic_signature, generics), "%s.%s: generic %s, not %s", class_name, name,
           info.generic_signature, generics);
    expect((info.modifiers & 0x1dff) == (modifiers & 0x1dff), "%s: modifiers %x, not %x", name, info.modifiers,
           modifiers);
    expect(info.klass == klass && info.class_idnum == class_idnum, "%s: class", name);
    expect(info.idnum == ASGST_GetMethodIdNum(method), "%s: idnum", name);
    expect(info.method_name_length == (jint)strlen(name), "%s: length", name);
    // Methods that the VM made for a class (overpasses of defaults) count, but JVMTI hides them: numbers may pass its count.
    expect(info.idnum >= 0 && info.idnum <= 0xffff && !seen[info.idnum], "%s: idnum %d twice", name, info.idnum);
    seen[info.idnum & 0xffff] = 1;
    expect(ASGST_MethodToJMethodID(method) == id, "%s: jmethodID", name);
    check_lines(method, id);
    if (compared_methods % 64 == 0) check_cut(method);
    ++compared_methods;
    compared_generics += generics != NULL;
  }
  release(name), release(descriptor), release(generics);
}

static void check_class(JNIEnv* jni, jclass mirror) {
  char *name = NULL, *generics = NULL;
  jint status = 0, count = 0;
  jmethodID* ids = NULL;
  (*jvmti)->GetClassSignature(jvmti, mirror, &name, &generics);
  (*jvmti)->GetClassStatus(jvmti, mirror, &status);
  const ASGST_Class klass = ASGST_JClassToClass(mirror);
  const bool primitive = (status & JVMTI_CLASS_STATUS_PRIMITIVE) != 0;
  ASGST_ClassInfo info = class_request();
  const int result = ASGST_GetClassInfo(klass, &info);
  if (primitive) {
    expect(klass == NULL && result == ASGST_BAD_CLASS, "primitive %s: %s", name, ASGST_ErrorName(result));
  } else if (!expect(result == ASGST_OK, "class %s: %s", name, ASGST_ErrorName(result))) {
    expect(same_class(info.class_name, name), "class %s: %s", name, info.class_name);
    expect(same(info.generic_class_name, generics), "class %s: generic %s, not %s", name, info.generic_class_name,
           generics);
    expect(info.idnum > 0 && info.idnum == ASGST_GetClassIdNum(klass), "class %s: idnum", name);
    ++compared_classes;
    if (name[0] == 'L') check_home(jni, mirror, &info);
    if (compared_classes == 1) check_version_1(klass);
    if (name[0] == 'L' && (status & JVMTI_CLASS_STATUS_PREPARED) != 0 &&
        (*jvmti)->GetClassMethods(jvmti, mirror, &count, &ids) == JVMTI_ERROR_NONE) {
      unsigned char* seen = calloc(0x10000, 1);
      for (jint i = 0; i < count; ++i) check_method(ids[i], klass, info.idnum, seen);
      free(seen);
      release(ids);
    }
    if (compared_classes % 256 == 1) {
      jclass back = ASGST_ClassToJClass(klass);
      expect(back != NULL && (*jni)->IsSameObject(jni, back, mirror), "class %s: back", name);
      (*jni)->DeleteLocalRef(jni, back);
      jobject global = (*jni)->NewGlobalRef(jni, mirror);
      expect(ASGST_JClassToClass(global) == klass, "class %s: by a global reference", name);
      (*jni)->DeleteGlobalRef(jni, global);
    }
  }
  release(name), release(generics);
}

// Whatever a pointer leads to, the answer is an error with a name.
static void check_nonsense(void) {
  static char zeros[4096], ones[4096];
  memset(ones, 0xff, sizeof ones);
  void* const kNonsense[] = {NULL,      (void*)1, (void*)8,   (void*)0x1000,         zeros,
                             zeros + 1, ones,     (void*)-8l, (void*)0x7ffffffff000, (void*)check_nonsense,
                             &jvmti,    jvmti,    stdout};
  for (size_t i = 0; i < sizeof kNonsense / sizeof *kNonsense; ++i) {
    ASGST_Method method = kNonsense[i];
    ASGST_Class klass = kNonsense[i];
    ASGST_MethodInfo info = method_request();
    ASGST_ClassInfo of_class = class_request();
    expect(ASGST_GetMethodInfo(method, &info) == ASGST_BAD_METHOD, "nonsense %zu: method", i);
    expect(ASGST_GetClassInfo(klass, &of_class) == ASGST_BAD_CLASS, "nonsense %zu: class", i);
    expect(ASGST_GetMethodIdNum(method) == ASGST_BAD_METHOD, "nonsense %zu: idnum", i);
    expect(ASGST_GetClassIdNum(klass) == ASGST_BAD_CLASS, "nonsense %zu: class idnum", i);
    expect(ASGST_GetMethodLineNumberTable(method, lines, 10) == ASGST_BAD_METHOD, "nonsense %zu: lines", i);
    expect(ASGST_MethodToJMethodID(method) == NULL && ASGST_LastError() == ASGST_BAD_METHOD, "nonsense %zu: id", i);
    ASGST_Method none = ASGST_JMethodIDToMethod((jmethodID)method);
    // From 26 on ids are numbers that count from 1 (JDK-8268406): small ones exist.
    if (method == NULL || (uintptr_t)method > 1 << 20)
      expect(none == NULL && ASGST_LastError() < 0, "nonsense %zu: from id", i);
  }
  ASGST_MethodInfo unsized = {.size = 0};
  expect(ASGST_GetMethodInfo(NULL, &unsized) == ASGST_BAD_SIZE, "a struct without a size");
  expect(ASGST_GetMethodInfo(NULL, NULL) == ASGST_BAD_ARGUMENT, "no struct");
  expect(ASGST_GetMethodLineNumberTable(NULL, lines, -1) == ASGST_BAD_ARGUMENT, "a length below 0");
  expect(ASGST_WalkStack(NULL, NULL) == ASGST_BAD_ARGUMENT, "no stack");
  ASGST_Frame frames[4];
  ASGST_Stack stack = {.size = sizeof stack, .max_frames = 4, .frames = frames};
  expect(ASGST_WalkStack(&stack, NULL) == ASGST_BAD_ARGUMENT && stack.count == 0, "no context");
  expect(ASGST_WalkThread(1 << 21, &stack, NULL, NULL, 1) == ASGST_UNKNOWN_THREAD, "no such thread");
  expect(ASGST_WalkThread(-1, &stack, NULL, NULL, 1) == ASGST_UNKNOWN_THREAD, "a thread below 0");
}

// ---- Native methods of AsgstOracle

JNIEXPORT jint JNICALL Java_AsgstOracle_compare(JNIEnv* jni, jclass self) {
  jint count = 0;
  jclass* mirrors = NULL;
  (void)self;
  expect(ASGST_Open(NULL, 0) == ASGST_OK, "open again");
  (*jvmti)->GetLoadedClasses(jvmti, &count, &mirrors);
  for (jint i = 0; i < count; ++i) {
    check_class(jni, mirrors[i]);
    (*jni)->DeleteLocalRef(jni, mirrors[i]);
  }
  release(mirrors);
  check_nonsense();
  printf("classes %ld methods %ld lines %ld generics %ld cut %ld wrong %d capabilities %x\n", compared_classes,
         compared_methods, compared_lines, compared_generics, cut_texts, wrong, ASGST_Capabilities());
  print_homes();
  fflush(stdout);
  return wrong;
}

JNIEXPORT jint JNICALL Java_AsgstOracle_threadId(JNIEnv* jni, jclass self) {
  (void)jni, (void)self;
  return (jint)syscall(SYS_gettid);
}

static void name_frames(const ASGST_Stack* stack, void* arg) {
  char* to = arg;
  *to = 0;
  for (jint i = 0; i < stack->count; ++i) {
    char name[128];
    ASGST_MethodInfo info = {.size = sizeof info, .method_name = name, .method_name_length = sizeof name};
    if (ASGST_GetMethodInfo(stack->frames[i].method, &info) < 0 || strlen(to) + strlen(name) + 2 > kText) continue;
    strcat(to, name);
    strcat(to, " ");
  }
}

// The methods on the thread's stack, innermost first, or the error's name.
JNIEXPORT jstring JNICALL Java_AsgstOracle_walk(JNIEnv* jni, jclass self, jint thread) {
  static ASGST_Frame frames[kFrames];
  static char names[kText];
  (void)self;
  ASGST_Stack stack = {.size = sizeof stack, .max_frames = kFrames, .frames = frames};
  const int result = ASGST_WalkThread(thread, &stack, name_frames, names, 2000);
  return (*jni)->NewStringUTF(jni, result < 0 ? ASGST_ErrorName(result) : names);
}

// Class idnum << 16 | method idnum of each method called `name` on the calling thread's stack, walked in a signal handler.
static jlong found_ids[kFrames];
static jint found_lines[kFrames];
static int found_count;
static const char* wanted;

static void on_signal(int number, siginfo_t* info, void* context) {
  static ASGST_Frame frames[kFrames];
  (void)number, (void)info;
  ASGST_Stack stack = {.size = sizeof stack, .max_frames = kFrames, .frames = frames};
  found_count = 0;
  if (ASGST_WalkStack(&stack, context) < 0) return;
  for (jint i = 0; i < stack.count; ++i) {
    char name[128];
    ASGST_MethodInfo method = {.size = sizeof method, .method_name = name, .method_name_length = sizeof name};
    if (ASGST_GetMethodInfo(frames[i].method, &method) != ASGST_OK || strcmp(name, wanted) != 0) continue;
    const int count = ASGST_GetMethodLineNumberTable(frames[i].method, lines, 64);
    found_lines[found_count] = count > 0 ? lines[0].line_number : 0;
    found_ids[found_count++] = method.class_idnum << 16 | method.idnum;
  }
}

JNIEXPORT jlongArray JNICALL Java_AsgstOracle_idsOnStack(JNIEnv* jni, jclass self, jstring name) {
  (void)self;
  wanted = (*jni)->GetStringUTFChars(jni, name, NULL);
  raise(SIGUSR2);
  (*jni)->ReleaseStringUTFChars(jni, name, wanted);
  jlongArray ids = (*jni)->NewLongArray(jni, found_count);
  (*jni)->SetLongArrayRegion(jni, ids, 0, found_count, found_ids);
  return ids;
}

JNIEXPORT jint JNICALL Java_AsgstOracle_firstLine(JNIEnv* jni, jclass self, jint index) {
  (void)jni, (void)self;
  return found_lines[index];
}

static int redefinitions, redefined_methods;
static jlong redefined_class;

static void on_redefined(ASGST_Class klass, ASGST_Method* methods, int count, bool redefined, void* arg) {
  (void)arg;
  if (!redefined) return;
  ++redefinitions;
  redefined_class = ASGST_GetClassIdNum(klass);
  for (int i = 0; i < count; ++i) redefined_methods += ASGST_GetMethodIdNum(methods[i]) == i;
}

JNIEXPORT jint JNICALL Java_AsgstOracle_notify(JNIEnv* jni, jclass self, jboolean on) {
  (void)jni, (void)self;
  if (!on) return ASGST_NotifyRedefinition(false);
  return ASGST_RegisterClassUnloadHandler(on_redefined, NULL);  // told by default
}

// Swaps the class's file for another one. Its jmethodIDs must lead to the new methods, with the numbers of the old ones.
JNIEXPORT jint JNICALL Java_AsgstOracle_redefine(JNIEnv* jni, jclass self, jclass klass, jbyteArray file) {
  (void)self;
  jvmtiClassDefinition definition = {klass, (*jni)->GetArrayLength(jni, file), NULL};
  jbyte* bytes = (*jni)->GetByteArrayElements(jni, file, NULL);
  definition.class_bytes = (unsigned char*)bytes;
  const jvmtiError error = (*jvmti)->RedefineClasses(jvmti, 1, &definition);
  (*jni)->ReleaseByteArrayElements(jni, file, bytes, JNI_ABORT);
  return (jint)error;
}

JNIEXPORT jint JNICALL Java_AsgstOracle_retransform(JNIEnv* jni, jclass self, jclass klass) {
  (void)jni, (void)self;
  return (jint)(*jvmti)->RetransformClasses(jvmti, 1, &klass);
}

JNIEXPORT jlong JNICALL Java_AsgstOracle_classIdOf(JNIEnv* jni, jclass self, jclass klass) {
  (void)jni, (void)self;
  return ASGST_GetClassIdNum(ASGST_JClassToClass(klass));
}

// How many redefinitions were told, of this class, with how many methods in their places.
JNIEXPORT jlongArray JNICALL Java_AsgstOracle_told(JNIEnv* jni, jclass self) {
  (void)self;
  const jlong all[] = {redefinitions, redefined_class, redefined_methods};
  jlongArray out = (*jni)->NewLongArray(jni, 3);
  (*jni)->SetLongArrayRegion(jni, out, 0, 3, all);
  return out;
}

// Registers and takes out: order, twice the same, one too many, and one that is not there.
static void first(ASGST_Class k, ASGST_Method* m, int n, bool r, void* a) {
  (void)k, (void)m, (void)n, (void)r, (void)a;
}

static void check_registration(void) {
  int room = 0;
  char args[32];
  while (ASGST_RegisterClassUnloadHandler(first, &args[room]) == ASGST_OK) ++room;
  expect(room == 16 && ASGST_LastError() == ASGST_FULL, "room for %d handlers", room);
  expect(!ASGST_DeregisterClassUnloadHandler(on_redefined, NULL) && ASGST_LastError() == ASGST_NOT_REGISTERED,
         "one that is not there");
  expect(!ASGST_DeregisterClassUnloadHandler(first, NULL), "another argument");
  while (room > 0) expect(ASGST_DeregisterClassUnloadHandler(first, &args[--room]), "taken out");
  expect(ASGST_RegisterClassUnloadHandler(NULL, NULL) == ASGST_BAD_ARGUMENT, "no handler");
}

static void JNICALL on_vm_init(jvmtiEnv* env, JNIEnv* jni, jthread thread) {
  (void)env, (void)jni, (void)thread;
  const int early = ASGST_Open(NULL, 0), opened = ASGST_Open(java_vm, 0);
  expect(early == ASGST_TOO_EARLY, "too early: %s", ASGST_ErrorName(early));
  expect(opened == ASGST_OK && *ASGST_Reason() == 0, "open: %s", ASGST_Reason());
  check_registration();
  const struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(SIGUSR2, &action, NULL);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void* reserved) {
  (void)options, (void)reserved;
  java_vm = vm;
  ASGST_ClassInfo info = class_request();
  expect(ASGST_GetClassInfo(NULL, &info) == ASGST_NOT_OPEN, "not open");
  (*vm)->GetEnv(vm, (void**)&jvmti, JVMTI_VERSION_1_2);
  const jvmtiCapabilities capabilities = {.can_get_line_numbers = 1,
                                          .can_get_source_file_name = 1,
                                          .can_redefine_classes = 1,
                                          .can_retransform_classes = 1};
  (*jvmti)->AddCapabilities(jvmti, &capabilities);
  const jvmtiEventCallbacks callbacks = {.VMInit = on_vm_init};
  (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
  return JNI_OK;
}
