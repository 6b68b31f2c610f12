// SPDX-License-Identifier: Apache-2.0
// The calls of rec_context.h.
#include <jni.h>
#include <rec_context.h>

#include <cstring>
#include <optional>

#include "agent/context/own_contexts.h"
#include "agent/context/span_names.h"
#include "agent/hotspot/processor/thread_local_place.h"
#include "agent/spans/span_events.h"
#include "agent/spans/span_ids.h"
#include "agent/spans/span_thread.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

RequestContext request_of(const REC_Context* context) {
  RequestContext to;
  if (context == nullptr) return to;
  std::memcpy(to.trace.data(), context->trace_id, sizeof context->trace_id);
  std::memcpy(&to.span, context->span_id, sizeof context->span_id);
  to.name = context->name;
  return to;
}

// Likewise, of one that begins: its name is one that was given.
RequestContext new_request(const REC_Context* context) {
  RequestContext to = request_of(context);
  to.name = span_names().used(to.name);
  return to;
}

REC_Context call_context(const RequestContext& context) {
  REC_Context to{};
  std::memcpy(to.trace_id, context.trace.data(), sizeof to.trace_id);
  std::memcpy(to.span_id, &context.span, sizeof to.span_id);
  to.name = context.name;
  return to;
}

// Addresses of threads are no numbers of virtual ones, which are small.
uint64_t owner_of(std::optional<int64_t> virtual_id) {
  return virtual_id.value_or(0) != 0 ? static_cast<uint64_t>(*virtual_id) : thread_pointer();
}

bool set_own(std::optional<int64_t> virtual_id, const RequestContext& context) {
  if (!virtual_id) return !context;
  if (write_own_context(*virtual_id, context)) return true;
  Engine::losses().note(Note::kContextsRefused);
  return false;
}

}  // namespace

extern "C" {

JNIEXPORT int REC_ContextVersion(void) { return REC_CONTEXT_VERSION; }

JNIEXPORT uint32_t REC_SpanName(const char* name) { return name == nullptr ? 0 : span_names().number_of(name); }

JNIEXPORT bool REC_SetContext(const REC_Context* context) {
  return set_own(calling_virtual_thread(), new_request(context));
}

JNIEXPORT bool REC_GetContext(REC_Context* context) {
  RequestContext own;
  const std::optional<int64_t> virtual_id = calling_virtual_thread();
  const bool has_one = virtual_id && read_own_context(*virtual_id, own);
  if (context != nullptr) *context = call_context(own);
  return has_one;
}

JNIEXPORT bool REC_OpenSpan(REC_Span* span, const REC_Context* context) {
  if (span == nullptr) return false;
  RequestContext before, own = new_request(context);
  const std::optional<int64_t> virtual_id = calling_virtual_thread();
  if (virtual_id) read_own_context(*virtual_id, before);
  if ((own.trace[0] | own.trace[1]) == 0) own.trace = before.trace;
  if (own.span == 0) own.span = new_span_id();
  *span = {call_context(before), call_context(own), span_events().start_ticks(), owner_of(virtual_id)};
  return set_own(virtual_id, own);
}

JNIEXPORT void REC_CloseSpan(REC_Span* span, const char* labels) {
  if (span == nullptr || span->owner == 0) return;
  const std::optional<int64_t> virtual_id = calling_virtual_thread();
  if (span->owner != owner_of(virtual_id)) return Engine::losses().note(Note::kSpansLost);
  span->owner = 0;
  RequestContext now;
  const bool is_innermost = virtual_id && read_own_context(*virtual_id, now) && now.span == request_of(&span->own).span;
  if (is_innermost) set_own(virtual_id, request_of(&span->before));
  span_events().ended(request_of(&span->own), span->start, labels == nullptr ? "" : labels);
}

}  // extern "C"

}  // namespace rec::agent
