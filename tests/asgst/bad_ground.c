// SPDX-License-Identifier: Apache-2.0
// Calls everything in asgst.h where it cannot work, and prints the name of the error that each call gave.
//
//   asgst_bad_ground LIBREC           a process without a JVM, then with something that is no HotSpot
#include <asgst.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* library;

static void* call(const char* name) {
  void* found = dlsym(library, name);
  if (found == NULL) exit((printf("no %s\n", name), 2));
  return found;
}
#define CALL(name) ((__typeof__(&name))call(#name))

static int names_wrong;

static void expect(const char* what, int error, const char* wanted) {
  const char* name = CALL(ASGST_ErrorName)(error);
  if (strcmp(name, wanted) == 0) return;
  printf("%s: %s, not %s\n", what, name, wanted);
  names_wrong = 1;
}

static void handler(ASGST_Class k, ASGST_Method* m, int n, bool r, void* a) {
  (void)k, (void)m, (void)n, (void)r, (void)a;
}

static void expect_all(const char* wanted) {
  char text[16];
  ASGST_Frame frames[4];
  ASGST_MethodLineNumberEntry line;
  ASGST_MethodInfo method = {.size = sizeof method, .method_name = text, .method_name_length = sizeof text};
  ASGST_ClassInfo klass = {.size = sizeof klass};
  ASGST_Stack stack = {.size = sizeof stack, .max_frames = 4, .frames = frames};
  int (*last)(void) = CALL(ASGST_LastError);
  expect("GetMethodInfo", CALL(ASGST_GetMethodInfo)((ASGST_Method)text, &method), wanted);
  expect("GetMethodIdNum", CALL(ASGST_GetMethodIdNum)((ASGST_Method)text), wanted);
  expect("GetClassInfo", CALL(ASGST_GetClassInfo)((ASGST_Class)text, &klass), wanted);
  expect("GetClassIdNum", (int)CALL(ASGST_GetClassIdNum)((ASGST_Class)text), wanted);
  expect("GetMethodLineNumberTable", CALL(ASGST_GetMethodLineNumberTable)((ASGST_Method)text, &line, 1), wanted);
  expect("WalkStack", CALL(ASGST_WalkStack)(&stack, text), wanted);
  expect("WalkThread", CALL(ASGST_WalkThread)(1, &stack, NULL, NULL, 1), wanted);
  expect("RegisterClassUnloadHandler", CALL(ASGST_RegisterClassUnloadHandler)(handler, NULL), wanted);
  expect("NotifyRedefinition", CALL(ASGST_NotifyRedefinition)(true), wanted);
  ASGST_Place place = {.pc = 1};
  ASGST_NativeInfo native = {.size = sizeof native};
  ASGST_ThreadInfo thread = {.size = sizeof thread};
  expect("GetNativeInfo", CALL(ASGST_GetNativeInfo)(&place, &native), wanted);
  expect("GetThreadInfo", CALL(ASGST_GetThreadInfo)(1, &thread), wanted);
  const bool there = CALL(ASGST_DeregisterClassUnloadHandler)(handler, NULL);
  expect("DeregisterClassUnloadHandler", there ? 99 : last(), wanted);
  const void* pointers[] = {CALL(ASGST_MethodToJMethodID)((ASGST_Method)text)};
  expect("MethodToJMethodID", pointers[0] != NULL ? 99 : last(), wanted);
  pointers[0] = CALL(ASGST_JMethodIDToMethod)((jmethodID)text);
  expect("JMethodIDToMethod", pointers[0] != NULL ? 99 : last(), wanted);
  pointers[0] = CALL(ASGST_ClassToJClass)((ASGST_Class)text);
  expect("ClassToJClass", pointers[0] != NULL ? 99 : last(), wanted);
  pointers[0] = CALL(ASGST_JClassToClass)((jclass)text);
  expect("JClassToClass", pointers[0] != NULL ? 99 : last(), wanted);
  pointers[0] = CALL(ASGST_ThreadToJThread)(1);
  expect("ThreadToJThread", pointers[0] != NULL ? 99 : last(), wanted);
  if (CALL(ASGST_Capabilities)() != 0) names_wrong = (printf("capabilities\n"), 1);
}

int main(int count, char** arguments) {
  library = count == 2 ? dlopen(arguments[1], RTLD_NOW) : NULL;
  if (library == NULL) return printf("%s\n", dlerror()), 2;
  expect_all("notOpen");
  expect("Open", CALL(ASGST_Open)(NULL, 0), "noVm");
  expect_all("noVm");
  JavaVM stranger = NULL;
  expect("Open", CALL(ASGST_Open)(&stranger, 0), "noStructures");
  expect_all("noStructures");
  printf("reason: this VM %s\n", CALL(ASGST_Reason)());
  return names_wrong;
}
