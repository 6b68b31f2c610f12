/* SPDX-License-Identifier: Apache-2.0 */
/* jrec.h: read JFR recordings from C, and from whatever calls C. C99 and C++. libjrec.so implements it.
 *
 *   file --jrec_type_named--> type --jrec_bind--> field          once: names become handles, good for the whole file
 *   file --jrec_next--------> event of a type                    again and again
 *   field --jrec_int64, jrec_double, jrec_text, jrec_stack-->    a value of the event that the file stands at
 *   type --jrec_rows--------> columns                            the same, many events a call
 *
 *   jrec_file* file;
 *   jrec_type* pause;
 *   jrec_field* sum;
 *   jrec_status status = jrec_open("app.jfr", &file);
 *   if (status == JREC_OK) status = jrec_type_named(file, "jdk.GarbageCollection", &pause);
 *   if (status == JREC_OK) status = jrec_select(pause);
 *   if (status == JREC_OK) status = jrec_bind(pause, "sumOfPauses", &sum);
 *   for (int64_t ns; status == JREC_OK && (status = jrec_next(file, NULL)) == JREC_OK;)
 *     if ((status = jrec_int64(sum, &ns)) == JREC_OK) printf("%lld ns\n", (long long)ns);
 *   if (status != JREC_END) fprintf(stderr, "%s\n", jrec_error(file));
 *   jrec_close(file);
 *
 * Errors. Each call that can fail returns a status, which compilers want to see used, and jrec_error() says what was wrong:
 * file, offset, reason. A damaged file is read all the same: what is good of it is handed out, what is not is noted, and
 * where the end would be JREC_END it is JREC_DAMAGED. No exception leaves, and no file makes it crash or take memory out of
 * proportion to its size.
 *
 * Threads. A jrec_file and all that belongs to it may be used by one thread at a time. Different jrec_files have nothing to
 * do with each other; the same recording may be opened any number of times.
 *
 * Lifetimes. Types and fields belong to their file and live until jrec_close(). Texts say how long they do.
 *
 * Numbers in ticks do not come out: a time is nanoseconds since the Unix epoch, a duration nanoseconds. Of these INT64_MIN
 * says that it was never set, and INT64_MAX that it has no end. Texts are UTF-8 and end with a 0 byte, which `length` does not
 * count; they may hold others.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define JREC_CALL __attribute__((visibility("default")))
#define JREC_CHECKED __attribute__((visibility("default"), warn_unused_result))
#else
#define JREC_CALL
#define JREC_CHECKED
#endif

/* Grows when something is added; what was there stays as it was. Compare what you were compiled with and what you have. */
#define JREC_API_VERSION 1
JREC_CALL int jrec_api_version(void);

typedef struct jrec_file jrec_file;
typedef struct jrec_type jrec_type;
typedef struct jrec_field jrec_field;

typedef enum jrec_status {
  JREC_OK = 0,
  JREC_END = 1,  /* there is no more, and all was good so far */
  JREC_NULL = 2, /* the value is null, or its constant is missing; what was asked for is 0, or "" */
  JREC_DAMAGED =
      -1,           /* the file contradicts itself: jrec_error(); of an end: there is no more, and something was lost */
  JREC_SYSTEM = -2, /* it cannot be opened or read */
  JREC_USAGE = -3,  /* the call makes no sense, or the value is of another kind */
  JREC_NO_FIELD = -4, /* in this chunk the type has no such field */
  JREC_LIMIT = -5,    /* a file that was made to take memory */
  JREC_MEMORY = -6    /* there is no more memory: only jrec_close() makes sense now */
} jrec_status;

/* --- Files --- */

/* Opens a recording; "-" is standard input. Whatever it returns, jrec_error(*file) may be asked and jrec_close(*file) must be
 * called; *file is NULL for JREC_MEMORY alone, which both take. A recording of JDK 7 or 8 (version 0.9) is translated first, in
 * memory, and has the names of types and fields that JDK 9 gave them. A file without a chunk is no error here, but jrec_next() says
 * JREC_DAMAGED. The file is mapped: nobody may cut it shorter meanwhile. */
JREC_CHECKED jrec_status jrec_open(const char* path, jrec_file** file);

/* The same for bytes in memory, which must outlive it. The name is for errors. */
JREC_CHECKED jrec_status jrec_open_bytes(const void* bytes, size_t size, const char* name, jrec_file** file);

JREC_CALL void jrec_close(jrec_file* file);

/* What the newest failure was: "app.jfr: at 0x1a40: event claims 900 bytes, the chunk has 20". "" when nothing failed. Good
 * until the next call. */
JREC_CALL const char* jrec_error(const jrec_file* file);

/* What is damaged, as far as it was met. Of many problems the first 20 are kept. NULL: there is no such one. Good until the
 * next call. */
JREC_CALL size_t jrec_problem_count(const jrec_file* file);
JREC_CALL const char* jrec_problem(const jrec_file* file, size_t index, uint64_t* offset);

/* --- Events --- */

/* Goes to the next event, in the order of the file, over chunks, and tells its type (`type` may be NULL). JREC_END or
 * JREC_DAMAGED when there is none. */
JREC_CHECKED jrec_status jrec_next(jrec_file* file, jrec_type** type);

/* Passes over what is left of this chunk, and stands in front of the first event of the next. Ends like jrec_next(). Needed only
 * to look at chunks, or to ask for the fields of types before the first event. */
JREC_CHECKED jrec_status jrec_next_chunk(jrec_file* file);

typedef struct jrec_chunk {
  uint64_t offset;     /* in the file */
  uint64_t size;       /* bytes that are there */
  int64_t start_ns;    /* since the Unix epoch */
  int64_t duration_ns; /* as the header has it */
  int32_t whole;       /* 0: the file ends before it does */
  int32_t unfinished;  /* 1: it was still being written when the file was taken */
} jrec_chunk;

/* The chunk that the file stands in. JREC_USAGE in front of the first and behind the last. */
JREC_CHECKED jrec_status jrec_chunk_of(jrec_file* file, jrec_chunk* chunk);

/* --- Types and fields --- */

/* The handle of an event type, the same for the same name. That a recording has no such type is no error: it has no such
 * events then. */
JREC_CHECKED jrec_status jrec_type_named(jrec_file* file, const char* name, jrec_type** type);

/* "jdk.GarbageCollection". Good until jrec_close(). */
JREC_CALL const char* jrec_type_name(const jrec_type* type);

/* From now on jrec_next() stops at events of types that were selected only, and passes over others by their size. */
JREC_CHECKED jrec_status jrec_select(jrec_type* type);

typedef enum jrec_kind {
  JREC_OTHER = 0,    /* arrays and structs without a name: bind what is in them */
  JREC_INTEGER = 1,  /* jrec_int64 */
  JREC_UNSIGNED = 2, /* jrec_int64, 64 bits to be read without a sign */
  JREC_BOOLEAN = 3,  /* jrec_int64, 0 or 1 */
  JREC_TIME = 4,     /* jrec_int64, nanoseconds since the Unix epoch */
  JREC_SPAN = 5,     /* jrec_int64, nanoseconds */
  JREC_REAL = 6,     /* jrec_double */
  JREC_TEXT = 7,     /* jrec_text: strings, enumerations, and what has a name: threads, classes, methods */
  JREC_STACK = 8     /* jrec_stack */
} jrec_kind;

/* The event types of the chunk, by index from 0: JREC_END behind the last. JREC_USAGE outside of a chunk. */
JREC_CHECKED jrec_status jrec_chunk_type(jrec_file* file, size_t index, jrec_type** type);

/* The fields of a type in this chunk, by index from 0: JREC_END behind the last, or when the chunk does not know the type. Of
 * structs without a name their fields, by path ("heapSpace.committedSize"). The path is good until the next call of it. */
JREC_CHECKED jrec_status jrec_type_field(jrec_type* type, size_t index, const char** path, jrec_kind* kind);

/* A handle for a field by its path: "duration", "sampledThread.javaThreadId", "objectClass.package.name". Paths lead through
 * structs and constants. Whether there is such a field is told where it is used: chunks of one file may differ. */
JREC_CHECKED jrec_status jrec_bind(jrec_type* type, const char* path, jrec_field** field);

/* What it is in this chunk, by the types alone. JREC_NO_FIELD: this chunk has none; JREC_USAGE outside of a chunk. */
JREC_CHECKED jrec_status jrec_kind_of(jrec_field* field, jrec_kind* kind);

/* --- Values of the event that jrec_next() has gone to --- */

/* Integers, booleans, times and durations. */
JREC_CHECKED jrec_status jrec_int64(jrec_field* field, int64_t* value);

/* Any number. */
JREC_CHECKED jrec_status jrec_double(jrec_field* field, double* value);

/* A text, or the name of what has one: "java.lang.String[]", "java.lang.Thread.run", "main". Good until this field is read
 * again. `length` may be NULL. */
JREC_CHECKED jrec_status jrec_text(jrec_field* field, const char** text, size_t* length);

/* When the event began ("startTime"), and how long it took ("duration"; JREC_NULL for events that have none). */
JREC_CHECKED jrec_status jrec_start_time(jrec_file* file, int64_t* unix_ns);
JREC_CHECKED jrec_status jrec_duration(jrec_file* file, int64_t* ns);

/* A stack trace as its number: the same stack has the same number in the whole file. Numbers are small, and begin at 1. */
JREC_CHECKED jrec_status jrec_stack(jrec_field* field, uint32_t* stack);

typedef struct jrec_frame {
  const char* type;   /* java.lang.Thread; "" when there is none */
  const char* method; /* run; "" when it is missing */
  const char* kind;   /* "Interpreted", "JIT compiled", "Inlined", "Native" ... */
  int32_t line;       /* 0 or less: none */
  int32_t bytecode_index;
} jrec_frame;

/* How many frames a stack has, and whether its outermost were left out when it was recorded. Either may be NULL. */
JREC_CHECKED jrec_status jrec_stack_size(jrec_file* file, uint32_t stack, size_t* frames, int32_t* truncated);

/* A frame, from 0, which was running: JREC_END behind the last. Its texts are good until jrec_close(). */
JREC_CHECKED jrec_status jrec_stack_frame(jrec_file* file, uint32_t stack, size_t index, jrec_frame* frame);

/* The whole stack as one text, as flame graphs want it: the outermost frame first, ";" between frames ("," for those in names), with
 * lines where that is not 0: "app.Main.main:7;app.Main.run:12". Good until the next call of it. */
JREC_CHECKED jrec_status jrec_stack_text(jrec_file* file, uint32_t stack, int32_t lines, const char** text,
                                         size_t* length);

/* Many frames a call, as numbers of texts (jrec_known_text(); 0: ""): `room` of them from `first` on, *frames tells how many. */
typedef struct jrec_frame_numbers {
  uint32_t type, method, kind;
  int32_t line, bytecode_index;
} jrec_frame_numbers;
JREC_CHECKED jrec_status jrec_stack_frames(jrec_file* file, uint32_t stack, size_t first, size_t room,
                                           jrec_frame_numbers* numbers, size_t* frames);

/* --- Columns --- */

typedef struct jrec_column {
  jrec_field* field; /* of the type whose rows are read */
  jrec_kind as;      /* JREC_INTEGER, JREC_REAL, JREC_TEXT or JREC_STACK: what `values` points at */
  void* values;      /* int64_t, double, or uint32_t for the number of a text or stack, for each row */
  uint8_t* present;  /* 1 for each row that has a value, 0 for null; may be NULL */
} jrec_column;

/* Reads on, event by event of this type alone, until `room` rows are full (JREC_OK) or there is no more (JREC_END, JREC_DAMAGED);
 * *rows tells how many there are, in each case. It does as if nothing else were selected. A row whose value is null, damaged
 * (a problem), of another kind, or no field of its chunk has 0 there. */
JREC_CHECKED jrec_status jrec_rows(jrec_type* type, const jrec_column* columns, size_t count, size_t room,
                                   size_t* rows);

/* The text of a number out of a column: the same text has the same number in the whole file; numbers are small, 0 is none. Good
 * until jrec_close(). NULL: there is no such number. */
JREC_CALL const char* jrec_known_text(const jrec_file* file, uint32_t number, size_t* length);

#ifdef __cplusplus
}
#endif
