// SPDX-License-Identifier: Apache-2.0
// Where classes come from, held against JVMTI and Java, and structs as version 1 of asgst.h had them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/asgst/oracle.h"

// What of.method() returns, if it is a String; NULL: it is null.
static char* called(JNIEnv* jni, jobject of, const char* method) {
  jclass klass = (*jni)->GetObjectClass(jni, of);
  jstring text = (*jni)->CallObjectMethod(jni, of, (*jni)->GetMethodID(jni, klass, method, "()Ljava/lang/String;"));
  (*jni)->DeleteLocalRef(jni, klass);
  if (text == NULL) return NULL;
  const char* chars = (*jni)->GetStringUTFChars(jni, text, NULL);
  char* copy = strdup(chars);
  (*jni)->ReleaseStringUTFChars(jni, text, chars);
  (*jni)->DeleteLocalRef(jni, text);
  return copy;
}

static long compared_sources, compared_modules, compared_loaders;

// Source file, module and loader of a class that is no array, as Java has them.
void check_home(JNIEnv* jni, jclass mirror, const ASGST_ClassInfo* info) {
  jclass class_class = (*jni)->GetObjectClass(jni, mirror);
  jobject module =
      (*jni)->CallObjectMethod(jni, mirror, (*jni)->GetMethodID(jni, class_class, "getModule", "()Ljava/lang/Module;"));
  jobject loader = NULL;
  char *source = NULL, *signature_of_loader = NULL, *module_has = called(jni, module, "getName"), *loader_has = NULL;
  (*jvmti)->GetSourceFileName(jvmti, mirror, &source);
  (*jvmti)->GetClassLoader(jvmti, mirror, &loader);
  expect(same(info->source_file, source), "class %s: source %s, not %s", class_name, info->source_file, source);
  expect(same(info->module_name, module_has), "class %s: module %s, not %s", class_name, info->module_name, module_has);
  if (loader != NULL) {
    jclass type = (*jni)->GetObjectClass(jni, loader);
    (*jvmti)->GetClassSignature(jvmti, type, &signature_of_loader, NULL);
    loader_has = called(jni, loader, "getName");
    expect(info->loader_class_name != NULL && same_class(info->loader_class_name, signature_of_loader),
           "class %s: loader's class", class_name);
    expect(info->loader_idnum > 0, "class %s: loader's number", class_name);
    (*jni)->DeleteLocalRef(jni, type);
    ++compared_loaders;
  } else {
    expect(info->loader_class_name == NULL && info->loader_idnum == 0, "class %s: a loader", class_name);
  }
  expect(same(info->loader_name, loader_has), "class %s: loader %s, not %s", class_name, info->loader_name, loader_has);
  compared_sources += source != NULL, compared_modules += module_has != NULL;
  free(module_has), free(loader_has);
  release(source), release(signature_of_loader);
  (*jni)->DeleteLocalRef(jni, class_class), (*jni)->DeleteLocalRef(jni, module), (*jni)->DeleteLocalRef(jni, loader);
}

// A struct as version 1 had it: filled, and nothing behind it is touched.
void check_version_1(ASGST_Class klass) {
  ASGST_ClassInfo info;
  char name[16];
  memset(&info, 0x55, sizeof info);
  info.size = 48, info.class_name = name, info.class_name_length = sizeof name;
  info.generic_class_name = NULL;
  expect(ASGST_GetClassInfo(klass, &info) >= ASGST_OK && info.idnum == ASGST_GetClassIdNum(klass),
         "a class of version 1");
  expect(info.loader_idnum == 0x5555555555555555 && info.source_file_length == 0x55555555,
         "behind a class of version 1");
  info.size = 47;
  expect(ASGST_GetClassInfo(klass, &info) == ASGST_BAD_SIZE, "a class smaller than in version 1");
  ASGST_Stack stack;
  ASGST_Frame frames[8];
  memset(&stack, 0x55, sizeof stack);
  stack.size = 32, stack.max_frames = 8, stack.frames = frames;
  const int result = ASGST_WalkThread((jint)syscall(SYS_gettid), &stack, NULL, NULL, 1000);
  expect(result >= ASGST_OK && stack.count > 0, "a stack of version 1: %s", ASGST_ErrorName(result));
  expect(stack.given == 0x55555555 && stack.thread_state == 0x55555555 && stack.java_thread_id == 0x5555555555555555,
         "behind a stack of version 1");
  stack.size = 31;
  expect(ASGST_WalkThread(1, &stack, NULL, NULL, 1) == ASGST_BAD_SIZE, "a stack smaller than in version 1");
  stack.size = sizeof stack, stack.place_size = 8;
  expect(ASGST_WalkThread(1, &stack, NULL, NULL, 1) == ASGST_BAD_SIZE, "places smaller than in version 2");
}

void print_homes(void) {
  printf("homes sources %ld modules %ld loaders %ld\n", compared_sources, compared_modules, compared_loaders);
}
