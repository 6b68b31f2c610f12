// SPDX-License-Identifier: Apache-2.0
// A profiler that wants everything: kinds of frames, compile levels, native code and stubs, all threads. It checks what it
// sees against dladdr(), and prints what it saw at the VM's end.
//
//   java -agentpath:asgst_kinds.so AsgstKinds         calls back (native methods): state(), virtualId(), kinds(), name(), thread(), others()
#define _GNU_SOURCE  // dladdr()
#include <asgst.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <jvmti.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { kFrames = 256, kPlaces = 1 << 13, kText = 256, kWanted = ASGST_WANT_NATIVE | ASGST_WANT_STUBS };
static const char kLetters[] =
    "IJWNCVS?";  // by ASGST_FRAME_...: interpreted, compiled, within, native, code, vm, stub, missing

static JavaVM* java_vm;
static atomic_long samples, errors[20], types[8], levels[6], states[6], without_java, missing, wrong_frames, wrong_ids;

// Places seen in handlers, to be named at the end.
static ASGST_Place places[kPlaces];
static atomic_uint places_used;

static bool is_native(jint type) { return type == ASGST_FRAME_CODE || type == ASGST_FRAME_VM; }

static void look_at(const ASGST_Frame* frame, const ASGST_Place* place) {
  atomic_fetch_add(&types[frame->type & 7], 1);
  const bool java = frame->type <= ASGST_FRAME_NATIVE,
             compiled = frame->type == ASGST_FRAME_COMPILED || frame->type == ASGST_FRAME_INLINED;
  if (compiled) atomic_fetch_add(&levels[frame->level >= 0 && frame->level < 5 ? frame->level : 5], 1);
  if ((frame->method != NULL) != java || (!compiled && frame->level != 0)) atomic_fetch_add(&wrong_frames, 1);
  if ((place->pc == 0) != (frame->type == ASGST_FRAME_MISSING)) atomic_fetch_add(&wrong_frames, 1);
  if (!is_native(frame->type)) {
    if (place->library != 0 || place->address != 0) atomic_fetch_add(&wrong_frames, 1);
    if (frame->type != ASGST_FRAME_STUB) return;
  }
  const unsigned at = atomic_fetch_add(&places_used, 1);
  if (at < kPlaces) places[at] = *place;
}

static void on_sample(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  (void)signal, (void)info;
  ASGST_Frame frames[kFrames];
  ASGST_Place at[kFrames];
  ASGST_Stack stack = {.size = sizeof stack,
                       .max_frames = kFrames,
                       .frames = frames,
                       .wanted = kWanted,
                       .places = at,
                       .place_size = sizeof *at};
  atomic_fetch_add(&samples, 1);
  const int result = ASGST_WalkStack(&stack, context);
  if (result < 0) atomic_fetch_add(&errors[-result], 1);
  for (jint i = 0; i < stack.count; ++i) look_at(&frames[i], &at[i]);
  atomic_fetch_add(&states[stack.thread_state], 1);
  if (stack.java_thread_id == 0 && stack.count > 0) atomic_fetch_add(&without_java, 1);
  if ((stack.java_thread_id == 0) != (stack.thread_state == ASGST_THREAD_UNKNOWN)) atomic_fetch_add(&wrong_ids, 1);
  if ((stack.flags & ASGST_STACK_LACKS_NATIVE) != 0) atomic_fetch_add(&missing, 1);
  errno = saved;
}

// ---- Names, in ordinary threads

static ASGST_NativeInfo request(char* library, char* function) {
  *library = *function = 0;
  return (ASGST_NativeInfo){.size = sizeof(ASGST_NativeInfo),
                            .library_name = library,
                            .library_name_length = kText,
                            .function_name = function,
                            .function_name_length = kText};
}

static long named, unnamed, wrong_names, wrong_libraries, agreed, in_vm, in_zip, stubs_named;

static const char* file_of(const char* path) { return strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path; }

// What dladdr() knows of a place, it must know likewise. It knows exported functions only, and the nearest one below.
static void check_name(const ASGST_Place* place, const ASGST_NativeInfo* info) {
  Dl_info known;
  if (info->library_name == NULL || dladdr((void*)(place->pc - 1), &known) == 0 || known.dli_fname == NULL) return;
  if (strcmp(info->library_name, "vdso") != 0 && strcmp(file_of(known.dli_fname), info->library_name) != 0 &&
      strstr(known.dli_fname, info->library_name) == NULL)
    ++wrong_libraries;
  if (known.dli_sname == NULL || strncmp(known.dli_sname, "_Z", 2) == 0) return;
  if ((uint64_t)known.dli_saddr != place->pc - place->offset) return;
  const bool same = info->function_name != NULL && strcmp(known.dli_sname, info->function_name) == 0;
  // A function may have several names: then the other one leads there, too.
  const bool alias = !same && info->function_name != NULL && info->function_name[0] != 0;
  if (same) ++agreed;
  if (!same && !alias) ++wrong_names;
}

static void name_places(void) {
  char library[kText], function[kText];
  const unsigned used = places_used < kPlaces ? places_used : kPlaces;
  for (unsigned i = 0; i < used; ++i) {
    ASGST_NativeInfo info = request(library, function);
    ASGST_Place place = places[i];
    if (ASGST_GetNativeInfo(&place, &info) < 0) ++wrong_names;
    info.function_name != NULL ? ++named : ++unnamed;
    if (info.library_name == NULL && info.function_name != NULL) ++stubs_named;
    if (info.library_name != NULL && strcmp(library, "libjvm.so") == 0) ++in_vm;
    if (info.library_name != NULL && strncmp(library, "libz", 4) == 0) ++in_zip;
    check_name(&place, &info);
    // By its address alone it is the same.
    ASGST_NativeInfo again = request(library, function);
    ASGST_Place by_pc = {.pc = place.pc - 1};
    if (place.library != 0 && (ASGST_GetNativeInfo(&by_pc, &again) < 0 || by_pc.library != place.library))
      ++wrong_names;
  }
}

// ---- Native methods of AsgstKinds

static ASGST_Frame other_frames[kFrames];
static ASGST_Place other_places[kFrames];

static ASGST_Stack other_stack(uint32_t wanted) {
  return (ASGST_Stack){.size = sizeof(ASGST_Stack),
                       .max_frames = kFrames,
                       .frames = other_frames,
                       .wanted = wanted,
                       .places = other_places,
                       .place_size = sizeof *other_places};
}

JNIEXPORT jint JNICALL Java_AsgstKinds_self(JNIEnv* jni, jclass self) {
  (void)jni, (void)self;
  return (jint)syscall(SYS_gettid);
}

// Thread state << 32 | the low half of the id that Java gives it, or an error.
JNIEXPORT jlong JNICALL Java_AsgstKinds_state(JNIEnv* jni, jclass self, jint thread) {
  (void)jni, (void)self;
  ASGST_Stack stack = other_stack(0);
  int result = ASGST_TORN;
  for (int i = 0; i < 50 && result == ASGST_TORN; ++i) result = ASGST_WalkThread(thread, &stack, NULL, NULL, 2000);
  return result < 0 ? result : (jlong)stack.thread_state << 32 | (stack.java_thread_id & 0xffffffff);
}

// Of the virtual thread that it runs, by its own word; or an error.
JNIEXPORT jlong JNICALL Java_AsgstKinds_virtualId(JNIEnv* jni, jclass self, jint thread) {
  (void)jni, (void)self;
  ASGST_Stack stack = other_stack(kWanted);
  const int result = ASGST_WalkThread(thread, &stack, NULL, NULL, 2000);
  return result < 0 ? result : stack.virtual_thread_id;
}

// The kinds of its frames, a letter each, innermost first; or the error's name.
JNIEXPORT jstring JNICALL Java_AsgstKinds_kinds(JNIEnv* jni, jclass self, jint thread) {
  char letters[kFrames + 1] = {0};
  (void)self;
  ASGST_Stack stack = other_stack(kWanted);
  const int result = ASGST_WalkThread(thread, &stack, NULL, NULL, 2000);
  for (jint i = 0; i < stack.count; ++i) letters[i] = kLetters[other_frames[i].type & 7];
  return (*jni)->NewStringUTF(jni, result < 0 ? ASGST_ErrorName(result) : letters);
}

// "Java's name, id, state" of a thread, or of one that Java does not know "- the system's name".
JNIEXPORT jstring JNICALL Java_AsgstKinds_name(JNIEnv* jni, jclass self, jint thread) {
  char name[kText], os_name[32], text[2 * kText];
  (void)self;
  ASGST_ThreadInfo info = {
      .size = sizeof info, .name = name, .name_length = kText, .os_name = os_name, .os_name_length = sizeof os_name};
  const int result = ASGST_GetThreadInfo(thread, &info);
  if (result != ASGST_OK) return (*jni)->NewStringUTF(jni, ASGST_ErrorName(result));
  if (info.name == NULL)
    snprintf(text, sizeof text, "- %s", os_name);
  else
    snprintf(text, sizeof text, "%s, %ld, %d", name, (long)info.java_thread_id, info.state);
  return (*jni)->NewStringUTF(jni, text);
}

JNIEXPORT jobject JNICALL Java_AsgstKinds_thread(JNIEnv* jni, jclass self, jint thread) {
  (void)jni, (void)self;
  return ASGST_ThreadToJThread(thread);
}

// Walks each thread of the process that Java does not know: how many have a stack with the VM's frames.
JNIEXPORT jint JNICALL Java_AsgstKinds_others(JNIEnv* jni, jclass self) {
  jint walked = 0;
  DIR* tasks = opendir("/proc/self/task");
  (void)jni, (void)self;
  for (struct dirent* entry; tasks != NULL && (entry = readdir(tasks)) != NULL;) {
    const jint thread = atoi(entry->d_name);
    ASGST_ThreadInfo info = {.size = sizeof info};
    if (thread == 0 || ASGST_GetThreadInfo(thread, &info) != ASGST_OK || info.java_thread_id != 0) continue;
    ASGST_Stack stack = other_stack(kWanted);
    const int result = ASGST_WalkThread(thread, &stack, NULL, NULL, 2000);
    bool vm = false;
    for (jint i = 0; i < stack.count; ++i) vm |= other_frames[i].type == ASGST_FRAME_VM;
    if (result == ASGST_OK && vm && stack.given == kWanted && stack.thread_state == ASGST_THREAD_UNKNOWN) ++walked;
  }
  if (tasks != NULL) closedir(tasks);
  return walked;
}

static void JNICALL on_vm_init(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread) {
  (void)jvmti, (void)jni, (void)thread;
  if (ASGST_Open(java_vm, ASGST_OPEN_KEEP_UP) != ASGST_OK) printf("WRONG open: %s\n", ASGST_Reason());
  if ((ASGST_Capabilities() & ASGST_CAN_WALK_NATIVE) == 0 || ASGST_Version() != ASGST_VERSION)
    printf("WRONG version\n");
  const struct sigaction action = {.sa_sigaction = on_sample, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
  sigaction(SIGPROF, &action, NULL);
  const struct itimerval period = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_PROF, &period, NULL);
}

static void JNICALL on_vm_death(jvmtiEnv* jvmti, JNIEnv* jni) {
  (void)jvmti, (void)jni;
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_PROF, &never, NULL);
  nanosleep(&(struct timespec){0, 50000000}, NULL);
  name_places();
  printf(
      "samples samples %ld unknownThread %ld without_java %ld missing %ld wrong_frames %ld wrong_ids %ld capabilities "
      "%x\n",
      samples, errors[-ASGST_UNKNOWN_THREAD], without_java, missing, wrong_frames, wrong_ids, ASGST_Capabilities());
  printf("types interpreted %ld compiled %ld inlined %ld native %ld code %ld vm %ld stub %ld missing %ld\n", types[0],
         types[1], types[2], types[3], types[4], types[5], types[6], types[7]);
  printf("levels none %ld one %ld two %ld three %ld four %ld other %ld\n", levels[0], levels[1], levels[2], levels[3],
         levels[4], levels[5]);
  printf("states unknown %ld new %ld java %ld vm %ld native %ld blocked %ld\n", states[0], states[1], states[2],
         states[3], states[4], states[5]);
  printf("names named %ld unnamed %ld agreed %ld wrong_names %ld wrong_libraries %ld in_vm %ld in_zip %ld stubs %ld\n",
         named, unnamed, agreed, wrong_names, wrong_libraries, in_vm, in_zip, stubs_named);
  for (int i = 1; i < 20; ++i)
    if (errors[i] != 0) printf("error %s %ld\n", ASGST_ErrorName(-i), errors[i]);
  fflush(stdout);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void* reserved) {
  (void)options, (void)reserved;
  java_vm = vm;
  ASGST_Open(vm, 0);  // too early, but compilers note all inlined methods from now on
  jvmtiEnv* jvmti;
  if ((*vm)->GetEnv(vm, (void**)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
  const jvmtiEventCallbacks callbacks = {.VMInit = on_vm_init, .VMDeath = on_vm_death};
  (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
  return JNI_OK;
}
