/* SPDX-License-Identifier: Apache-2.0 */
/* rec_context.h: tell rec which request the calling thread works for, and what that work is called. C99 and C++.
 *
 * librec.so implements it. Samples that are taken in a context have its trace, span and name (rec.SampleContext); a span
 * that was opened and closed is an event of its own (rec.Span). For Java there is rec-context.jar (rec.Context, rec.Span),
 * which does the same. docs/context.md has the tour.
 *
 * Who has a tracer that writes OpenTelemetry's thread context (OTEP 4947: the thread-local variable otel_thread_ctx_v1)
 * needs none of this. librec.so does not export that name, so it never stands in such a library's way; and where a thread
 * has a context of both, the ids are the tracer's. The name is always the one that was set here.
 *
 * To use it without depending on rec: the JVM has loaded librec.so for itself alone, so look it up where it is.
 *
 *   void* rec = dlopen("librec.so", RTLD_LAZY | RTLD_NOLOAD);            NULL: rec is not there
 *   set = (bool (*)(const REC_Context*))dlsym(rec, "REC_SetContext");
 *
 * Which thread. A context belongs to the thread that has set it. Of a thread that runs as a virtual thread of Java (in a
 * native method that it has called) it belongs to the virtual thread: it goes with that to other carriers, and the carrier
 * and its other virtual threads never have it. Nobody can tell which virtual thread runs before rec has looked at the JVM,
 * which it does when the first recording begins; until then nothing is kept. Nor is it, where the JVM has virtual threads,
 * on threads of Java that begin while nothing is recorded, until the next recording begins. 65,536 virtual threads have room
 * for a context at a time; one that ends with one keeps its place for ever, if it has never used rec.Context or rec.Span.
 *
 * All calls are for ordinary code: not for signal handlers. None of them throws, and none leaves a pending exception.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define REC_CONTEXT_VERSION 1

/* What was compiled into the library: REC_CONTEXT_VERSION. */
int REC_ContextVersion(void);

/* The ids are bytes in the order in which W3C Trace Context writes them; zeros: none. */
typedef struct REC_Context {
  uint8_t trace_id[16];
  uint8_t span_id[8];
  uint32_t name; /* of REC_SpanName(); 0: none */
} REC_Context;

/* The number of a name, for the life of the process: the same text gives the same number. UTF-8, of which 120 bytes are
 * kept. Names are for kinds of work, so there is room for 4,095; further ones are all "[other]", and each span and context
 * that uses that is counted (rec.Counters, spanNamesRefused). 0: NULL, or empty. Takes a lock: ask once, and keep it. */
uint32_t REC_SpanName(const char* name);

/* From here on the calling thread works for this request; NULL, or no ids and no name: for none. Some nanoseconds. A name's
 * number that REC_SpanName() has not given is none, and counted likewise. False: it is not kept, and the thread has no context
 * now (see above). */
bool REC_SetContext(const REC_Context* context);

/* What the calling thread has set; false: nothing. */
bool REC_GetContext(REC_Context* context);

/* A span on the calling thread, which also closes it; spans may be nested. The struct is the caller's, and his to read only. */
typedef struct REC_Span {
  REC_Context before; /* which closing it sets again */
  REC_Context own;
  int64_t start;  /* CLOCK_MONOTONIC, ns; 0: spans were not recorded then */
  uint64_t owner; /* the thread; 0: it is closed */
} REC_Span;

/* Sets `context`. Where it has no trace it takes the one of the context before; where it has no span id it is given one that
 * is not used elsewhere. False: as REC_SetContext(); the span is recorded all the same. */
bool REC_OpenSpan(REC_Span* span, const REC_Context* context);

/* Once; again without effect. On another thread than its own it does nothing but count (spansLost). Spans are closed from the
 * innermost on: where one inside it is open still, the context stays that one's. Sets the context before again and writes rec.Span, if the span was as long as the option `spans` says; shorter ones are
 * counted. labels: "key=value,key=value", UTF-8, of which 250 bytes are kept; NULL: none. */
void REC_CloseSpan(REC_Span* span, const char* labels);

#ifdef __cplusplus
}
#endif
