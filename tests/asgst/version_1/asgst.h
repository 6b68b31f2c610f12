/* SPDX-License-Identifier: Apache-2.0 */
/* asgst.h: walk a Java stack and name its methods inside a signal handler, without jmethodIDs. C99 and C++.
 *
 * librec.so implements it for HotSpot 17 to 28 on Linux x86-64, recording or not. It reads the VM's structures by loads
 * that may fail; it calls nothing in the VM, takes no lock and allocates nothing, except in the calls marked
 * [ordinary].
 *
 *   [signal-safe]  any thread, also inside a signal handler, also inside an unload handler. errno is kept.
 *   [ordinary]     threads that Java knows (attached), in the live phase, outside of signal handlers.
 *
 * To use it: load librec.so (-agentpath:librec.so=api, or dlopen() and dlsym() in an agent), call ASGST_Open() at
 * VMInit or in Agent_OnAttach, look at ASGST_Capabilities(), and walk. docs/asgst.md has the tour, and
 * tests/asgst/profiler.c is a whole profiler.
 *
 * Identity. An ASGST_Method and an ASGST_Class are addresses inside the VM, good only as long as the class is known to
 * be alive:
 *   - in a signal handler that walked its own thread's stack: until the handler returns (the frame keeps the class);
 *   - in an unload handler: until it returns;
 *   - in a visitor of ASGST_WalkThread: until it returns, if the walk then returns ASGST_OK or ASGST_TRUNCATED;
 *   - elsewhere: while the caller holds a reference to the class (a jclass).
 * Never keep one as a key: addresses are used again, within milliseconds, for other methods. Keep the pair (class
 * idnum, method idnum): it is never used again in the process and stays the same when the class is redefined or
 * retransformed.
 *
 * Errors. Calls return an ASGST_Error, or a count or number that is negative for an error. A call that returns a
 * pointer or a bool leaves its error in ASGST_LastError(). Before ASGST_Open() has succeeded every call fails with the
 * error that it had, or with ASGST_NOT_OPEN. A pointer to no method gives ASGST_BAD_METHOD, wherever it points.
 *
 * Versions. Structs that the caller provides begin with their size: set it to sizeof. A newer library fills the part
 * that it is given and no more; a struct smaller than in version 1 is refused (ASGST_BAD_SIZE).
 */
#pragma once

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASGST_VERSION 1

typedef struct ASGST_MethodHandle* ASGST_Method;
typedef struct ASGST_ClassHandle* ASGST_Class;

typedef enum ASGST_Error {
  ASGST_OK = 0,
  ASGST_TRUNCATED = 1,        /* done, but a text or a stack did not fit */
  ASGST_NOT_OPEN = -1,        /* ASGST_Open() was not called */
  ASGST_NO_VM = -2,           /* there is no JVM in this process, or it has no JVMTI */
  ASGST_TOO_EARLY = -3,       /* the JVM has not started yet: call again at VMInit */
  ASGST_NO_STRUCTURES = -4,   /* the JVM does not export its structures: not a HotSpot */
  ASGST_UNKNOWN_LAYOUT = -5,  /* a HotSpot whose structures are not as we know them (Zero, a future one) */
  ASGST_NO_CLASS_IDS = -6,    /* it gives its classes no numbers: it was built without JFR */
  ASGST_BAD_ARGUMENT = -7,    /* NULL, or a length below 0 */
  ASGST_BAD_SIZE = -8,        /* the struct's size is not set */
  ASGST_BAD_METHOD = -9,      /* the pointer does not lead to a method */
  ASGST_BAD_CLASS = -10,      /* the pointer does not lead to a class */
  ASGST_UNKNOWN_THREAD = -11, /* not a thread that Java knows */
  ASGST_UNSAFE = -12,        /* the thread blocks SIGSEGV, or the signal of ASGST_WalkThread; or somebody took our fault
                                handler out: ASGST_Open() again */
  ASGST_NO_FRAMES = -13,     /* no Java frame was found: ASGST_Stack::end says why */
  ASGST_TORN = -14,          /* the other thread moved on meanwhile: discard all, try again */
  ASGST_TIMEOUT = -15,       /* the other thread did not answer in time */
  ASGST_UNAVAILABLE = -16,   /* this VM does not tell */
  ASGST_NO_ID = -17,         /* the method has no jmethodID, or the id leads to none */
  ASGST_FULL = -18,          /* no room for one more handler */
  ASGST_NOT_REGISTERED = -19 /* no such handler */
} ASGST_Error;

/* [signal-safe] "badMethod"; "unknown" for a number that is no error. Static. */
const char* ASGST_ErrorName(int error);

/* [signal-safe] The error of this thread's last call; one that succeeded sets ASGST_OK. As with errno, a signal handler
 * that must not disturb the code it interrupts saves and restores it: ASGST_SetLastError(). */
int ASGST_LastError(void);
void ASGST_SetLastError(int error);

/* [signal-safe] What was compiled into the library: ASGST_VERSION. It grows when something is added. */
int ASGST_Version(void);

/* ---- Opening -------------------------------------------------------------------------------------------------- */

enum {
  ASGST_OPEN_NO_PROBE = 1, /* leave the VM's code alone: unload handlers are called late (see there) */
};

/* [ordinary] Opens the VM, once for all users in the process; again it puts our fault handler back in front and learns
 * of libraries loaded since. vm: NULL for the JVM of this process, which is found when it has started (not yet at
 * VMInit).
 * flags: of the first call that succeeds. In Agent_OnLoad it returns ASGST_TOO_EARLY, but makes compilers note every
 * inlined method (DebugNonSafepoints): worth a call. On failure nothing is installed but a handler that passes on every
 * fault, and ASGST_Reason() says why. */
int ASGST_Open(JavaVM* vm, int flags);

/* [signal-safe] The rest of a sentence that begins with "this VM"; "" when it is open. Static. */
const char* ASGST_Reason(void);

enum {
  ASGST_CAN_WALK = 1u << 0,               /* ASGST_WalkStack */
  ASGST_CAN_WALK_THREADS = 1u << 1,       /* ASGST_WalkThread */
  ASGST_HAS_METHOD_GENERICS = 1u << 2,    /* ASGST_MethodInfo::generic_signature */
  ASGST_HAS_CLASS_GENERICS = 1u << 3,     /* ASGST_ClassInfo::generic_class_name */
  ASGST_HAS_CLASS_MODIFIERS = 1u << 4,    /* ASGST_ClassInfo::modifiers; not from JDK 27 on */
  ASGST_CAN_FIND_JMETHODID = 1u << 5,     /* ASGST_MethodToJMethodID */
  ASGST_CAN_RESOLVE_JMETHODID = 1u << 6,  /* ASGST_JMethodIDToMethod in signal handlers too; to JDK 25 */
  ASGST_CAN_CONVERT_CLASSES = 1u << 7,    /* ASGST_JClassToClass, ASGST_ClassToJClass */
  ASGST_UNLOAD_IS_SYNCHRONOUS = 1u << 8,  /* unload handlers run just before the class goes; known after the first */
  ASGST_UNLOAD_IS_LATE = 1u << 9,         /* ... or soon after it went                           registration */
  ASGST_NOTIFIES_REDEFINITION = 1u << 10, /* handlers are called for redefined classes too */
};

/* [signal-safe] 0 until it is open. */
uint32_t ASGST_Capabilities(void);

/* ---- Names and numbers ---------------------------------------------------------------------------------------- */

/* Texts. The caller provides each buffer and its length in bytes; NULL for what is not wanted. The call writes the text
 * in the JVM's modified UTF-8, always ended by a 0 byte when length > 0, and sets the length to that of the whole text
 * without the 0. If it did not fit (length >= the buffer's), the text is cut between two characters and the call
 * returns ASGST_TRUNCATED. A text that there is not (no generic signature) sets its pointer to NULL and its length to
 * 0: set the pointers anew before each call. The library keeps no pointer. */
typedef struct ASGST_MethodInfo {
  uint32_t size;     /* in: sizeof(ASGST_MethodInfo) */
  ASGST_Class klass; /* out: the class that declares it */
  char* method_name; /* "run", "<init>" */
  jint method_name_length;
  char* signature; /* "(Ljava/lang/String;I)V" */
  jint signature_length;
  char* generic_signature; /* "(TT;)Ljava/util/List<TT;>;"; NULL: none */
  jint generic_signature_length;
  jint modifiers;    /* access flags of the class file (JVMS table 4.6-A) */
  jint idnum;        /* see ASGST_GetMethodIdNum */
  jlong class_idnum; /* see ASGST_GetClassIdNum */
} ASGST_MethodInfo;

/* [signal-safe] */
int ASGST_GetMethodInfo(ASGST_Method method, ASGST_MethodInfo* info);

/* [signal-safe] The method's number within its class, 0 to 65534, the same in each redefined version of it; a method
 * that the VM made itself and that stands in no class (a linker of method handles) has 65535. Negative: an
 * ASGST_Error. */
jint ASGST_GetMethodIdNum(ASGST_Method method);

typedef struct ASGST_ClassInfo {
  uint32_t size;    /* in: sizeof(ASGST_ClassInfo) */
  char* class_name; /* "java/util/Map$Entry", "[I"; a hidden class "Foo+0x00007f0123456789" */
  jint class_name_length;
  char* generic_class_name; /* "<K:Ljava/lang/Object;>Ljava/lang/Object;"; NULL: none */
  jint generic_class_name_length;
  jint modifiers; /* access flags of the class file (JVMS table 4.1-B); -1: not known */
  jlong idnum;    /* see ASGST_GetClassIdNum */
} ASGST_ClassInfo;

/* [signal-safe] */
int ASGST_GetClassInfo(ASGST_Class klass, ASGST_ClassInfo* info);

/* [signal-safe] The class's number, 1 and up, in the order of loading: never given twice in a process, and not changed
 * by redefinition. The same that JFR's own recordings use. Negative: an ASGST_Error. */
jlong ASGST_GetClassIdNum(ASGST_Class klass);

typedef struct ASGST_MethodLineNumberEntry {
  jint start_bci;
  jint line_number;
} ASGST_MethodLineNumberEntry;

/* [signal-safe] Writes up to length entries, in the order of the class file, and returns how many; 0 when the method
 * has no table. With entries NULL and length 0 it returns how many there are. The line of a bci is that of the entry
 * with the largest start_bci not above it. Tables may differ between versions of a redefined method. Negative: an
 * ASGST_Error. */
int ASGST_GetMethodLineNumberTable(ASGST_Method method, ASGST_MethodLineNumberEntry* entries, int length);

/* ---- JNI's and JVMTI's ids ------------------------------------------------------------------------------------ */

/* [signal-safe] The id, if the VM has made one for the method; it is never made by this call. NULL: ASGST_NO_ID. It is
 * as unsafe as every jmethodID: dead when its class is. To have ids made, call JVMTI GetClassMethods, which
 * allocates. */
jmethodID ASGST_MethodToJMethodID(ASGST_Method method);

/* [signal-safe] where ASGST_CAN_RESOLVE_JMETHODID (to JDK 25, where an id leads to the method), else [ordinary]. An id
 * whose class is gone gives NULL as far as that can be seen; on a VM that uses its memory again it may lead to
 * another method: ids must be known to be alive, as for JVMTI. The newest version of a redefined method. */
ASGST_Method ASGST_JMethodIDToMethod(jmethodID id);

/* [ordinary] A new local reference, or NULL. Looks through all loaded classes: slow, for rare use. */
jclass ASGST_ClassToJClass(ASGST_Class klass);

/* [ordinary] NULL for a primitive type. Good while the caller holds the jclass. */
ASGST_Class ASGST_JClassToClass(jclass klass);

/* ---- Unloading and redefinition ------------------------------------------------------------------------------- */

/* Called when a class goes. Handlers may run on any thread and several at a time.
 *
 * Where ASGST_UNLOAD_IS_SYNCHRONOUS: shortly before the class and its methods become invalid, in the VM's own thread
 *   (its VM thread, or the collector's), inside a signal handler. klass and methods can be read by every [signal-safe]
 *   call. methods lies in the VM: do not write to it.
 * Where ASGST_UNLOAD_IS_LATE: milliseconds after, in an ordinary thread of the VM. klass is then a stand-in, good until
 *   the handler returns, for ASGST_GetClassInfo (no generic name) and ASGST_GetClassIdNum alone; methods is NULL and
 *   count 0. A class that was never prepared (linked), or an array, is not told.
 * So evict by ASGST_GetClassIdNum(klass): it works in both.
 *
 * redefined: the class is not going; its methods are about to be replaced by new ones, whose idnums are the same.
 *   Called in the thread that redefines, once for each try, also if the VM then refuses the new version. Only after
 *   ASGST_NotifyRedefinition(true).
 *
 * The handler may make [signal-safe] calls of this file alone: no JVMTI, no JNI, no allocation, no lock. */
typedef void (*ASGST_ClassUnloadHandler)(ASGST_Class klass, ASGST_Method* methods, int count, bool redefined,
                                         void* arg);

/* [ordinary] Not while a handler runs in this thread. Up to 16 at a time; the same pair twice is two.
 * The first registration in the process decides how handlers will be called, and says so in ASGST_Capabilities():
 * synchronously, by putting a trap (hlt: SIGSEGV, which the VM keeps unblocked in all of its threads) on its own probe
 * point for unloaded classes (USDT hotspot:class__unloaded), which costs some microseconds for each class; late, by
 * tagging class mirrors (JVMTI), with ASGST_OPEN_NO_PROBE, or where the VM has no such point or something else is in the
 * way, which one line on stderr tells. ASGST_UNAVAILABLE: neither. */
int ASGST_RegisterClassUnloadHandler(ASGST_ClassUnloadHandler handler, void* arg);

/* [ordinary] Takes out one registration of the pair; false: there is none (ASGST_NOT_REGISTERED). When it returns, no
 * call of it is running any more, and none will begin; it waits for those that do, so not inside a handler. */
bool ASGST_DeregisterClassUnloadHandler(ASGST_ClassUnloadHandler handler, void* arg);

/* [ordinary] Whether handlers are called for redefinitions too. Off by default: it uses JVMTI's ClassFileLoadHook, and
 * with that the VM reads the class file of every class of its archive that it loads later. */
int ASGST_NotifyRedefinition(bool on);

/* ---- Walking -------------------------------------------------------------------------------------------------- */

enum { ASGST_FRAME_INTERPRETED = 0, ASGST_FRAME_COMPILED = 1, ASGST_FRAME_INLINED = 2, ASGST_FRAME_NATIVE = 3 };

typedef struct ASGST_Frame {
  ASGST_Method method;
  jlong class_idnum; /* of the method, read during the walk; */
  jint idnum;        /* negative: an ASGST_Error, the method cannot be read */
  jint bci;          /* -1: a native method */
  jint type;         /* ASGST_FRAME_... */
  jint reserved;
} ASGST_Frame;

typedef enum ASGST_WalkEnd {
  ASGST_END_ROOT = 0,         /* the stack is whole */
  ASGST_END_DEPTH = 1,        /* max_frames was too small */
  ASGST_END_NO_JAVA = 2,      /* the thread runs no Java: it starts, ends, or is the VM's own */
  ASGST_END_NATIVE = 3,       /* a native function that was called without a trace could not be unwound */
  ASGST_END_BAD_STACK = 4,    /* the rest cannot be followed */
  ASGST_END_BAD_RETURN = 5,   /* likewise: a return address leads to no code */
  ASGST_END_DEOPTIMIZING = 6, /* likewise: frames are being replaced at this moment */
  ASGST_END_BAD_FRAME = 7     /* likewise: a frame without a method */
} ASGST_WalkEnd;

enum { ASGST_STACK_HAS_GAP = 1 }; /* frames of a virtual thread that lie in the heap could not be read */

typedef struct ASGST_Stack {
  uint32_t size;       /* in: sizeof(ASGST_Stack) */
  jint max_frames;     /* in: room in frames */
  ASGST_Frame* frames; /* in: the caller's, filled innermost first. Its whole room is used as scratch */
  jint count;          /* out: frames there are, also with an error */
  jint end;            /* out: ASGST_WalkEnd, why it ended there */
  uint32_t flags;      /* out: ASGST_STACK_... */
} ASGST_Stack;

/* [signal-safe] In a signal handler: the stack of the calling thread, from the ucontext_t that the handler was given.
 * Uses about 2 KB of the handler's stack. ASGST_OK: whole. ASGST_TRUNCATED: frames were found, end says why not all. */
int ASGST_WalkStack(ASGST_Stack* stack, const void* ucontext);

/* Called once with the stack of another thread; may make [signal-safe] calls only. */
typedef void (*ASGST_StackVisitor)(const ASGST_Stack* stack, void* arg);

/* [ordinary] The stack of another thread, by the id that the system gives it (gettid), without stopping anything.
 *
 * A thread outside of Java (in native code, waiting, in the VM) is walked from here, from where it left Java: visitor
 * is called in the calling thread, and then the stack is walked again. ASGST_TORN: it was another one, so that whatever
 * the visitor read is worth nothing. A thread that runs Java gets a signal (the highest real-time signal that nobody
 * handles) and walks itself: visitor is called there, inside a signal handler.
 *
 * visitor may be NULL: then the frames' methods must not be read, as nothing keeps them; their numbers are right.
 * timeout_ms: how long the thread may take to begin; once it has begun, its end is waited for. One walk of this kind at
 * a time in the process; others wait their turn, no longer than timeout_ms. */
int ASGST_WalkThread(jint os_thread_id, ASGST_Stack* stack, ASGST_StackVisitor visitor, void* arg, int timeout_ms);

#ifdef __cplusplus
}
#endif
