// SPDX-License-Identifier: Apache-2.0
// A small profiler over asgst.h: timer signals, a buffer of its own, names resolved in the handler, an unload handler.
//
//   java -agentpath:asgst_profiler.so=LIBREC[,late] ...     late: no breakpoint in the VM (ASGST_OPEN_NO_PROBE)
//
// It checks itself. A method whose name ends in eight digits must stand in a class of the same eight (fixtures/
// Numbered00000000.java), and a pair of ids must always mean the same name. What it saw is printed at the VM's end.
#include <asgst.h>
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

enum { kMaxFrames = 64, kSlots = 1 << 20, kMaxClasses = 1 << 22, kMaxThreads = 1 << 16, kText = 160 };

// The calls, found by dlsym() in a library that may be loaded late.
// clang-format off
#define CALLS(X)                                                                                                 \
  X(ASGST_Open) X(ASGST_Reason) X(ASGST_ErrorName) X(ASGST_Capabilities) X(ASGST_WalkStack) X(ASGST_WalkThread)  \
  X(ASGST_GetMethodInfo) X(ASGST_GetClassInfo) X(ASGST_GetClassIdNum) X(ASGST_GetMethodLineNumberTable)          \
  X(ASGST_RegisterClassUnloadHandler) X(ASGST_DeregisterClassUnloadHandler) X(ASGST_LastError) X(ASGST_SetLastError)
// clang-format on
#define DECLARE(name) static __typeof__(&name) p_##name;
CALLS(DECLARE)

static atomic_long samples, walked, frames_seen, numbered, wrong_names, wrong_ids, bad_methods, after_unload,
    with_lines;
static atomic_long unloads, unloaded_numbered, unnamed_unloads, other_walks, other_torn, other_failed, other_wrong,
    full;
static atomic_long errors[20], ends[8];

// One slot a method: its ids, and a hash of its name. Filled once by whoever sees it first, and evicted with its class.
static struct { _Atomic unsigned long key, hash; } methods[kSlots];
static atomic_uchar gone[kMaxClasses];  // classes that the unload handler was told of, by idnum
static atomic_int threads[kMaxThreads];
static atomic_int stopping;
static JavaVM* java_vm;

static const char* digits_at_end(const char* text) {  // of 8; in a hidden class's name before the '+'
  const char* end = strchr(text, '+');
  if (end == NULL) end = strchr(text, '.');
  if (end == NULL) end = text + strlen(text);
  if (end - text < 8) return NULL;
  for (int i = 1; i <= 8; ++i)
    if (end[-i] < '0' || end[-i] > '9') return NULL;
  return end - 8;
}

static unsigned long hash_of(unsigned long hash, const char* text) {
  for (; *text != 0; ++text) hash = (hash ^ (unsigned char)*text) * 1099511628211ul;
  return hash;
}

static void check_ids(jlong class_idnum, jint idnum, unsigned long hash) {
  const unsigned long key = (unsigned long)class_idnum << 16 | (unsigned short)idnum;
  for (unsigned long i = 0, at = key * 0x9e3779b97f4a7c15ul >> 44; i < 64; ++i, ++at) {
    unsigned long found = atomic_load(&methods[at % kSlots].key);
    if (found == 0 && atomic_compare_exchange_strong(&methods[at % kSlots].key, &found, key)) found = key;
    if (found != key) continue;
    unsigned long known = atomic_load(&methods[at % kSlots].hash);
    if (known == 0 && atomic_compare_exchange_strong(&methods[at % kSlots].hash, &known, hash)) known = hash;
    if (known != hash) atomic_fetch_add(&wrong_ids, 1);
    return;
  }
  atomic_fetch_add(&full, 1);
}

static void check_name(const char* class_name, const char* method_name, atomic_long* wrong) {
  const char* in_class = digits_at_end(class_name);
  const char* in_method = digits_at_end(method_name);
  if (in_class == NULL || in_method == NULL || strncmp(class_name, "Numbered", 8) != 0) return;
  atomic_fetch_add(&numbered, 1);
  if (memcmp(in_class, in_method, 8) != 0) atomic_fetch_add(wrong, 1);
}

static void look_at(const ASGST_Frame* frame) {
  char class_name[kText], method_name[kText], signature[kText];
  ASGST_MethodInfo method = {.size = sizeof method,
                             .method_name = method_name,
                             .method_name_length = kText,
                             .signature = signature,
                             .signature_length = kText};
  ASGST_ClassInfo klass = {.size = sizeof klass, .class_name = class_name, .class_name_length = kText};
  atomic_fetch_add(&frames_seen, 1);
  if (p_ASGST_GetMethodInfo(frame->method, &method) < 0 || p_ASGST_GetClassInfo(method.klass, &klass) < 0) {
    atomic_fetch_add(&bad_methods, 1);
    return;
  }
  if (method.class_idnum != klass.idnum || method.class_idnum != frame->class_idnum || method.idnum != frame->idnum)
    atomic_fetch_add(&wrong_ids, 1);
  check_name(class_name, method_name, &wrong_names);
  if (method.idnum != 0xffff)
    check_ids(method.class_idnum, method.idnum,
              hash_of(hash_of(hash_of(14695981039346656037ul, class_name), method_name), signature));
  if (klass.idnum < kMaxClasses && atomic_load(&gone[klass.idnum]) != 0) atomic_fetch_add(&after_unload, 1);
  ASGST_MethodLineNumberEntry lines[16];
  if (p_ASGST_GetMethodLineNumberTable(frame->method, lines, 16) > 0 && lines[0].line_number > 0)
    atomic_fetch_add(&with_lines, 1);
}

static void on_sample(int signal, siginfo_t* info, void* context) {
  const int saved = errno, saved_error = p_ASGST_LastError();
  (void)signal, (void)info;
  ASGST_Frame frames[kMaxFrames];
  ASGST_Stack stack = {.size = sizeof stack, .max_frames = kMaxFrames, .frames = frames};
  atomic_fetch_add(&samples, 1);
  const int result = p_ASGST_WalkStack(&stack, context);
  atomic_fetch_add(result < 0 ? &errors[-result] : &walked, 1);
  atomic_fetch_add(&ends[stack.end & 7], 1);
  for (jint i = 0; i < stack.count; ++i) look_at(&frames[i]);
  p_ASGST_SetLastError(saved_error);
  errno = saved;
}

static void on_unload(ASGST_Class klass, ASGST_Method* of, int count, bool redefined, void* arg) {
  if (redefined || arg != (void*)methods) return;
  char class_name[kText], method_name[kText];
  ASGST_ClassInfo info = {.size = sizeof info, .class_name = class_name, .class_name_length = kText};
  atomic_fetch_add(&unloads, 1);
  if (p_ASGST_GetClassInfo(klass, &info) < 0 || info.idnum != p_ASGST_GetClassIdNum(klass)) {
    atomic_fetch_add(&unnamed_unloads, 1);
    return;
  }
  if (info.idnum < kMaxClasses) atomic_store(&gone[info.idnum], 1);
  if (strncmp(class_name, "Numbered", 8) == 0 && digits_at_end(class_name) != NULL)
    atomic_fetch_add(&unloaded_numbered, 1);
  for (int i = 0; i < count; ++i) {
    ASGST_MethodInfo method = {.size = sizeof method, .method_name = method_name, .method_name_length = kText};
    if (p_ASGST_GetMethodInfo(of[i], &method) < 0 || method.klass != klass)
      atomic_fetch_add(&unnamed_unloads, 1);
    else
      check_name(class_name, method_name, &wrong_names);
  }
}

// Stacks of other threads, seen by a visitor. The names count only if the walk holds.
struct seen {
  int count, wrong;
};
static void on_other_stack(const ASGST_Stack* stack, void* arg) {
  struct seen* seen = arg;
  for (jint i = 0; i < stack->count; ++i) {
    char class_name[kText], method_name[kText];
    ASGST_MethodInfo method = {.size = sizeof method, .method_name = method_name, .method_name_length = kText};
    ASGST_ClassInfo klass = {.size = sizeof klass, .class_name = class_name, .class_name_length = kText};
    if (p_ASGST_GetMethodInfo(stack->frames[i].method, &method) < 0 || p_ASGST_GetClassInfo(method.klass, &klass) < 0)
      continue;
    const char *in_class = digits_at_end(class_name), *in_method = digits_at_end(method_name);
    ++seen->count;
    if (in_class != NULL && in_method != NULL && memcmp(in_class, in_method, 8) != 0) ++seen->wrong;
  }
}

static void walk_other(int thread) {
  static ASGST_Frame frames[kMaxFrames];
  ASGST_Stack stack = {.size = sizeof stack, .max_frames = kMaxFrames, .frames = frames};
  struct seen seen = {0, 0};
  const int result = p_ASGST_WalkThread(thread, &stack, on_other_stack, &seen, 20);
  if (result >= 0)
    atomic_fetch_add(&other_walks, 1), atomic_fetch_add(&other_wrong, seen.wrong);
  else
    atomic_fetch_add(result == ASGST_TORN ? &other_torn : &other_failed, 1);
}

// Signals each thread in turn, faster than the timer can, and walks it from outside.
static void* ask_around(void* unused) {
  JNIEnv* jni;
  (void)unused;
  (*java_vm)->AttachCurrentThreadAsDaemon(java_vm, (void**)&jni, NULL);
  for (unsigned round = 0; !atomic_load(&stopping); ++round) {
    for (int i = 0; i < kMaxThreads && !atomic_load(&stopping); ++i) {
      const int thread = atomic_load(&threads[i]);
      if (thread == 0) continue;
      if (thread < 0) break;
      if (round % 4 == 0)
        walk_other(thread);
      else
        syscall(SYS_tgkill, getpid(), thread, SIGPROF);
    }
    nanosleep(&(struct timespec){0, 200000}, NULL);
  }
  return NULL;
}

static void JNICALL on_thread_start(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread) {
  (void)jvmti, (void)jni, (void)thread;
  static atomic_int next;
  const int at = atomic_fetch_add(&next, 1);
  if (at < kMaxThreads) atomic_store(&threads[at], (int)syscall(SYS_gettid));
}

static int option_late;

static void JNICALL on_vm_init(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread) {
  (void)jni, (void)thread;
  const int error = p_ASGST_Open(java_vm, option_late ? ASGST_OPEN_NO_PROBE : 0);
  if (error != ASGST_OK) {
    printf("profiler: %s: this VM %s\n", p_ASGST_ErrorName(error), p_ASGST_Reason());
    return;
  }
  const int registered = p_ASGST_RegisterClassUnloadHandler(on_unload, (void*)methods);
  if (registered != ASGST_OK) printf("profiler: no unload handler: %s\n", p_ASGST_ErrorName(registered));
  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL);
  struct sigaction action = {.sa_sigaction = on_sample, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
  sigaction(SIGPROF, &action, NULL);
  const struct itimerval period = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_PROF, &period, NULL);
  pthread_t asker;
  pthread_create(&asker, NULL, ask_around, NULL);
}

static void JNICALL on_vm_death(jvmtiEnv* jvmti, JNIEnv* jni) {
  (void)jvmti, (void)jni;
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_PROF, &never, NULL);
  atomic_store(&stopping, 1);
  nanosleep(&(struct timespec){0, 50000000}, NULL);
  const unsigned how = p_ASGST_Capabilities();
  const bool was_there = p_ASGST_DeregisterClassUnloadHandler(on_unload, (void*)methods);
  printf("unload %s%s\n", how & ASGST_UNLOAD_IS_SYNCHRONOUS ? "synchronous" : "",
         how & ASGST_UNLOAD_IS_LATE ? "late" : "");
  printf("samples %ld walked %ld frames %ld lines %ld numbered %ld\n", samples, walked, frames_seen, with_lines,
         numbered);
  printf("wrong_names %ld wrong_ids %ld bad_methods %ld after_unload %ld full %ld\n", wrong_names, wrong_ids,
         bad_methods, after_unload, full);
  printf("unloads %ld of_numbered %ld unnamed %ld deregistered %d\n", unloads, unloaded_numbered, unnamed_unloads,
         was_there);
  printf("others %ld torn %ld failed %ld wrong %ld\n", other_walks, other_torn, other_failed, other_wrong);
  for (int i = 1; i < 20; ++i)
    if (errors[i] != 0) printf("error %s %ld\n", p_ASGST_ErrorName(-i), errors[i]);
  printf("ends");
  for (int i = 0; i < 8; ++i) printf(" %ld", ends[i]);
  printf("\n");
  fflush(stdout);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void* reserved) {
  (void)reserved;
  java_vm = vm;
  option_late = strstr(options, ",late") != NULL;
  char* path = strdup(options);
  path[strcspn(path, ",")] = 0;
  void* library = dlopen(path, RTLD_NOW);
  if (library == NULL) return fprintf(stderr, "profiler: %s\n", dlerror()), JNI_ERR;
#define FIND(name)                                                   \
  if ((p_##name = (__typeof__(&name))dlsym(library, #name)) == NULL) \
    return fprintf(stderr, "profiler: no %s\n", #name), JNI_ERR;
  CALLS(FIND)
  if (p_ASGST_Open(vm, 0) != ASGST_TOO_EARLY) fprintf(stderr, "profiler: opened before the VM was there?\n");
  jvmtiEnv* jvmti;
  if ((*vm)->GetEnv(vm, (void**)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
  const jvmtiEventCallbacks callbacks = {.VMInit = on_vm_init, .VMDeath = on_vm_death, .ThreadStart = on_thread_start};
  (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
  free(path);
  return JNI_OK;
}
