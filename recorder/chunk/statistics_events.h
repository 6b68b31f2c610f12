// SPDX-License-Identifier: Apache-2.0
// Figures that are read at an interval, and how they become JFR's events. What a figure means, and where it comes from,
// is said where it is read (agent/statistics). Ticks are those of CLOCK_MONOTONIC, in ns.
//
//   sink: fields in the order of format/writer/statistics_fields.h, without startTime and the thread
//   commit_figures(*pin, TypeId::kSwapSpace, ticks, sink)
//
// Ordinary threads, and the JVM's own in a collection: of memory they take that of the sink, and the epoch's.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "format/type_ids.h"
#include "format/writer/byte_sink.h"
#include "recorder/epoch/epoch.h"

namespace rec {

// Fields that are all numbers of 64 bits, which most of these events are.
jfr::ByteSink figures(std::initializer_list<int64_t> numbers);

// In the epoch given, which is pinned. False: there is no room; whoever commits counts that.
bool commit_figures(Epoch& epoch, jfr::TypeId type, int64_t ticks, const jfr::ByteSink& fields);
// The same of a thread, which is the event's first field.
bool commit_figures(Epoch& epoch, jfr::TypeId type, int64_t ticks, const jfr::ByteSink& fields, Ref<ThreadFact> thread);

// jdk.ThreadCPULoad: parts of the time of all processors, 0 to 1.
bool commit_thread_load(Epoch& epoch, int64_t ticks, Ref<ThreadFact> thread, float user, float system);

// jdk.GCHeapSummary.
enum class HeapLook : uint8_t { kBeforeCollection, kAfterCollection };
bool commit_heap_summary(Epoch& epoch, int64_t ticks, uint32_t collection, HeapLook look, uint64_t used_bytes);

}  // namespace rec
