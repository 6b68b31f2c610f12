// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/statistics_events.h"

#include "format/writer/enumerations.h"
#include "recorder/chunk/encoded_event.h"

namespace rec {

using jfr::ByteSink;
using jfr::TypeId;

namespace {

bool commit(Epoch& epoch, TypeId type, int64_t ticks, const ByteSink& fields, Ref<ThreadFact> thread, bool has_thread) {
  return commit(epoch, EncodedEvent{.type = type,
                                    .ticks = ticks,
                                    .thread = thread,
                                    .fields = fields.bytes().data(),
                                    .size = static_cast<uint32_t>(fields.size()),
                                    .has_thread = has_thread});
}

}  // namespace

ByteSink figures(std::initializer_list<int64_t> numbers) {
  ByteSink out;
  for (const int64_t number : numbers) out.leb_i64(number);
  return out;
}

bool commit_figures(Epoch& epoch, TypeId type, int64_t ticks, const ByteSink& fields) {
  return commit(epoch, type, ticks, fields, {}, false);
}

bool commit_figures(Epoch& epoch, TypeId type, int64_t ticks, const ByteSink& fields, Ref<ThreadFact> thread) {
  return commit(epoch, type, ticks, fields, thread, true);
}

bool commit_thread_load(Epoch& epoch, int64_t ticks, Ref<ThreadFact> thread, float user, float system) {
  ByteSink out;
  out.f32(user);
  out.f32(system);
  return commit_figures(epoch, TypeId::kThreadCpuLoad, ticks, out, thread);
}

bool commit_heap_summary(Epoch& epoch, int64_t ticks, uint32_t collection, HeapLook look, uint64_t used_bytes) {
  ByteSink out;
  out.leb_i32(static_cast<int32_t>(collection));
  out.leb(look == HeapLook::kBeforeCollection ? jfr::kGcBefore : jfr::kGcAfter);
  out.leb_i64(static_cast<int64_t>(used_bytes));
  return commit_figures(epoch, TypeId::kGcHeapSummary, ticks, out);
}

}  // namespace rec
