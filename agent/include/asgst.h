/* SPDX-License-Identifier: Apache-2.0 */
/* asgst.h: walk a Java stack and name its methods inside a signal handler, without jmethodIDs. C99 and C++.
 *
 * librec.so implements it for HotSpot 17 to 28 on Linux x86-64, recording or not. It reads the VM's structures by loads
 * that may fail; it calls nothing in the VM, takes no lock and allocates nothing, except in the calls marked
 * [ordinary].
 *
 *   [signal-safe]  any thread, also inside a signal handler, also inside an unload handler. errno is kept.
 *   [ordinary]     threads that Java knows (attached), in the live phase, outside of signal handlers.
 *   [2]            since version 2; all else is of version 1.
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
 * Versions. ASGST_VERSION is the header's, ASGST_Version() the library's. Structs that the caller provides begin with
 * their size: set it to sizeof, and what is marked "out" to 0.
 *   older program, newer library: a struct is read and written as far as it goes in the version that it was compiled
 *     with, and not behind. What is new is done only when a new field asks for it: no new type of frame comes unasked.
 *   newer program, older library: it neither reads nor writes the fields that it does not know. What they are to tell
 *     stays 0, which says "not told", and ASGST_Stack::given does not have what ASGST_Stack::wanted asks for. A call
 *     that is new is not there: dlsym() finds none, and a program that is linked does not load.
 * A struct smaller than in version 1 is refused (ASGST_BAD_SIZE); one between two versions is of the lower one.
 */
#pragma once

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASGST_VERSION 2

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
  ASGST_UNKNOWN_THREAD = -11, /* not a thread that Java knows, or none at all */
  ASGST_UNSAFE = -12,        /* the thread blocks SIGSEGV, or the signal of ASGST_WalkThread; its alternate stack is too
                                small; or somebody took our fault handler out: ASGST_Open() again */
  ASGST_NO_FRAMES = -13,     /* no frame was found: ASGST_Stack::end says why */
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
  ASGST_OPEN_KEEP_UP = 2   /* [2] a quiet thread does four times a second what opening again does */
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
  ASGST_CAN_WALK_NATIVE = 1u << 11,       /* [2] ASGST_WANT_NATIVE, ASGST_WANT_STUBS, ASGST_GetNativeInfo */
  ASGST_HAS_LEVELS = 1u << 12,            /* [2] ASGST_Frame::level */
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
  jlong idnum;    /* see ASGST_GetClassIdNum. Version 1 ends here */
  /* [2] */
  char* source_file; /* "Map.java"; NULL: none is told, or an array */
  jint source_file_length;
  char* module_name; /* "java.base"; NULL: the unnamed module */
  jint module_name_length;
  char* loader_name; /* "app", "platform"; NULL: it has none, or is the boot loader */
  jint loader_name_length;
  char* loader_class_name; /* "jdk/internal/loader/ClassLoaders$AppClassLoader"; NULL: the boot loader */
  jint loader_class_name_length;
  jlong loader_idnum; /* the loader's number, never given twice, that of JFR's recordings; 0: the boot loader */
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

/* ---- Native code ---------------------------------------------------------------------------------------------- */

/* [2] Where a frame stands. Numbers alone: it may be kept, and named when there is time (ASGST_GetNativeInfo). */
typedef struct ASGST_Place {
  uint64_t pc;      /* of the innermost frame its instruction, of others the one behind their call; 0: not known */
  uint64_t address; /* of native code: where its function begins in the library's file, as nm has it; where no table
                       of unwinding tells that, the place itself */
  uint32_t offset;  /* likewise: how far pc is behind address */
  uint32_t library; /* likewise: its number, never another's in this process, also after dlclose(); 0: in none */
} ASGST_Place;

/* [2] Texts as above, in the bytes of the file. */
typedef struct ASGST_NativeInfo {
  uint32_t size;      /* in: sizeof(ASGST_NativeInfo) */
  char* library_name; /* "libjvm.so", "vdso"; NULL: code of the VM's own making, or in no library */
  jint library_name_length;
  char* library_path; /* as the loader has it */
  jint library_path_length;
  char* build_id; /* in hexadecimal; NULL: it has none */
  jint build_id_length;
  char* function_name; /* without parameters, C++ as its author wrote it; of a stub the VM's name; NULL: no symbol */
  jint function_name_length;
} ASGST_NativeInfo;

/* [ordinary] [2] Any thread, also one that Java does not know. What stands at a place of a walk; or, with library 0
 * and another pc, at that address now: then address, offset and library are filled in. By the symbols of the
 * library's file, its debug file, or the dynamic linker, which are read when the first place of a library is asked for:
 * milliseconds, and 12 bytes a function. Calls wait for each other. Where nothing is known, no text is there: that is no
 * error. */
int ASGST_GetNativeInfo(ASGST_Place* place, ASGST_NativeInfo* info);

/* ---- Threads --------------------------------------------------------------------------------------------------- */

/* [2] Texts as above. */
typedef struct ASGST_ThreadInfo {
  uint32_t size;           /* in: sizeof(ASGST_ThreadInfo) */
  jint state;              /* ASGST_THREAD_..., now */
  jlong java_thread_id;    /* Thread.threadId(); 0: Java does not know it */
  jlong virtual_thread_id; /* of the virtual thread that it runs; 0: none, or not told */
  char* name;              /* Thread.getName(); NULL: Java does not know it */
  jint name_length;
  char* os_name; /* as the system has it, up to 15 bytes: "GC Thread#0" */
  jint os_name_length;
} ASGST_ThreadInfo;

/* [ordinary] [2] By the id that the system gives a thread (gettid). ASGST_UNKNOWN_THREAD: there is none in this process. Looks
 * through all threads: for rare use, as when a thread is seen for the first time. */
int ASGST_GetThreadInfo(jint os_thread_id, ASGST_ThreadInfo* info);

/* [ordinary] [2] Its java.lang.Thread, a new local reference, or NULL. Likewise. */
jobject ASGST_ThreadToJThread(jint os_thread_id);

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
 *   Called in the thread that redefines, once for each try, also if the VM then refuses the new version. Of a class that
 *   is retransformed likewise.
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

/* [ordinary] Whether handlers are called for redefinitions too. They are by default, from the first registration on [2];
 * version 1 did so only when it was told to. By two words in JVMTI's table of functions, through which all agents redefine;
 * ASGST_UNAVAILABLE where these cannot be written, and then ASGST_Capabilities() does not have it. */
int ASGST_NotifyRedefinition(bool on);

/* ---- Walking -------------------------------------------------------------------------------------------------- */

enum {
  ASGST_FRAME_INTERPRETED = 0,
  ASGST_FRAME_COMPILED = 1,
  ASGST_FRAME_INLINED = 2, /* into the next frame that is compiled */
  ASGST_FRAME_NATIVE = 3,  /* a native method of Java */
  /* [2] Only where ASGST_WANT_NATIVE, or for the third ASGST_WANT_STUBS, is wanted. method is NULL, bci -1. */
  ASGST_FRAME_CODE = 4,    /* code of a library, in whatever language; or of none that is listed: its library is 0 */
  ASGST_FRAME_VM = 5,      /* of the VM's own library */
  ASGST_FRAME_STUB = 6,    /* code that the VM has made and that is no method's: routines, adapters, entries of Java */
  ASGST_FRAME_MISSING = 7, /* one or more native frames could not be found here */
};

/* The same in all versions: a stack of them has no gaps. */
typedef struct ASGST_Frame {
  ASGST_Method method;
  jlong class_idnum; /* of the method, read during the walk; */
  jint idnum;        /* negative: an ASGST_Error, the method cannot be read, or there is none */
  jint bci;          /* -1: a native method */
  jint type;         /* ASGST_FRAME_... */
  jint level;        /* [2] of what is compiled or inlined: 1 to 3 C1, 4 C2 or its like; 0: not told */
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

enum {
  ASGST_STACK_HAS_GAP = 1,      /* frames of a virtual thread that lie in the heap could not be read */
  ASGST_STACK_LACKS_NATIVE = 2, /* [2] native frames are missing: at each ASGST_FRAME_MISSING, or at the outer end */
};

/* [2] What a walk shows beside Java's frames. ASGST_WANT_NATIVE: native code where the thread stands, between Java's
 * frames and below them; threads that Java does not know then have a stack, too, and are no error. The handler's stack
 * needs 8 KB of room; else the walk is as if it were not wanted, and `given` says so. A library that was loaded behind the
 * last ASGST_Open(), ASGST_WalkThread() or ASGST_GetNativeInfo() is not listed before the next; see ASGST_OPEN_KEEP_UP. */
enum { ASGST_WANT_NATIVE = 1, ASGST_WANT_STUBS = 2 };

/* [2] What a thread of Java did (JavaThread::thread_state); on its way from one to the next it is still in the former. */
enum {
  ASGST_THREAD_UNKNOWN = 0, /* not told: Java does not know the thread */
  ASGST_THREAD_NEW = 1,
  ASGST_THREAD_IN_JAVA = 2,
  ASGST_THREAD_IN_VM = 3,
  ASGST_THREAD_IN_NATIVE = 4,
  ASGST_THREAD_BLOCKED = 5 /* in the VM: waits for a lock of Java's or the VM's, parks, or sleeps */
};

typedef struct ASGST_Stack {
  uint32_t size;       /* in: sizeof(ASGST_Stack) */
  jint max_frames;     /* in: room in frames */
  ASGST_Frame* frames; /* in: the caller's, filled innermost first. Its whole room is used as scratch */
  jint count;          /* out: frames there are, also with an error */
  jint end;            /* out: ASGST_WalkEnd, why it ended there */
  uint32_t flags;      /* out: ASGST_STACK_... */
  uint32_t unused;     /* never looked at. Version 1 ends here */
  /* [2] */
  uint32_t wanted;         /* in: ASGST_WANT_... */
  uint32_t given;          /* out: those of them that this walk has looked for */
  ASGST_Place* places;     /* in: NULL, or the caller's, max_frames of them: filled as frames are */
  uint32_t place_size;     /* in: sizeof(ASGST_Place) */
  jint thread_state;       /* out: ASGST_THREAD_..., as the walk began */
  jlong java_thread_id;    /* out: Thread.threadId() of it; of a carrier, the carrier's; 0: not a thread of Java */
  jlong virtual_thread_id; /* out: of the virtual thread that it runs; 0: none, or not told */
} ASGST_Stack;

/* [signal-safe] In a signal handler: the stack of the calling thread, from the ucontext_t that the handler was given.
 * Uses about 2 KB of the handler's stack. ASGST_OK: whole. ASGST_TRUNCATED: frames were found; end or flags say why not
 * all. A thread without Java frames has ASGST_NO_FRAMES, or its native ones if these are wanted. */
int ASGST_WalkStack(ASGST_Stack* stack, const void* ucontext);

/* Called once with the stack of another thread; may make [signal-safe] calls only. */
typedef void (*ASGST_StackVisitor)(const ASGST_Stack* stack, void* arg);

/* [ordinary] The stack of another thread, by the id that the system gives it (gettid), without stopping anything.
 *
 * A thread outside of Java (in native code, waiting, in the VM) is walked from here, from where it left Java: visitor
 * is called in the calling thread, and then the stack is walked again. ASGST_TORN: it was another one, so that whatever
 * the visitor read is worth nothing. A thread that runs Java gets a signal (the highest real-time signal that nobody
 * handles) and walks itself: visitor is called there, inside a signal handler. [2] So does every thread when
 * ASGST_WANT_NATIVE is wanted, also one that Java does not know, since only it knows where it stands. A system call that
 * it waits in may then end with EINTR (signal(7): poll, nanosleep, not those of Java's own locks).
 *
 * visitor may be NULL: then the frames' methods must not be read, as nothing keeps them; their numbers are right.
 * timeout_ms: how long the thread may take to begin; once it has begun, its end is waited for. One walk of this kind at
 * a time in the process; others wait their turn, no longer than timeout_ms. */
int ASGST_WalkThread(jint os_thread_id, ASGST_Stack* stack, ASGST_StackVisitor visitor, void* arg, int timeout_ms);

#ifdef __cplusplus
}
#endif
