// SPDX-License-Identifier: Apache-2.0
// SampleContexts tells the request that a sample was taken in. Each sample in one has an event rec.SampleContext in front of
// it, with its thread and its start time, by which readers put them together. Two may tell:
//
//   a tracer         a loaded library that exports OpenTelemetry's thread context (thread_context.h). It counts first
//   the application  by rec_context.h or rec.Context (own_contexts.h), where the tracer has nothing to say. The span's name is
//                    always the application's
//
//   open() -> tend(): libraries are searched when they come and go -> handlers: of_caller(), event_of() -> close()
//
// One event a sample, and none for each change of the context: what is lost or cut off then costs a sample its context, and
// no other sample gets a wrong one.
//
// There is one for the life of the process, as handlers may come late.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>

#include "agent/context/own_contexts.h"
#include "agent/hotspot/processor/thread_local_place.h"
#include "agent/sampling/context_attributes.h"
#include "recorder/epoch/epoch.h"

namespace rec::agent {

class SampleContexts {
 public:
  // Ordinary threads, one at a time. asked: whoever wants them by name is told when there are none.
  void open(bool asked);
  void close();
  void tend();  // of the housekeeper, once a second

  // Signal-safe, where a load may fault. The calling thread's context; virtual_id: of the virtual thread that it runs as, 0 if
  // none, or if asks_for_virtual() says that nobody needs to know.
  RequestContext of_caller(int64_t virtual_id) const;
  // Likewise, of a thread that stands: whoever asks makes sure that it has not moved. pointer: its thread pointer; 0: not
  // known.
  RequestContext of_other(uint64_t pointer, int64_t virtual_id) const;
  // Likewise, of a virtual thread that no carrier runs: the application's, for a tracer has its own in carriers.
  RequestContext of_unmounted(int64_t virtual_id) const;
  static bool asks_for_virtual() { return virtual_threads_have_contexts(); }

  // Signal-safe. To be committed with its sample in this epoch (Epoch::commit()); of kind kNone if there is none. The caller's has
  // the attributes that its tracer tells, too (context_attributes.h).
  static Event event_of(Epoch& epoch, const RequestContext& context);
  Event event_of_caller(Epoch& epoch, int64_t virtual_id) const;

 private:
  static constexpr uint32_t kPatienceTends = 10;  // before somebody who asked is told that there is none

  bool traced(uint64_t pointer, RequestContext& to) const;
  void look();
  void say_missing();
  const ThreadLocalPlace* keep(const ThreadLocalPlace& place);

  std::atomic<const ThreadLocalPlace*> place_{nullptr};  // null: no tracer tells
  std::atomic<bool> writes_{false};                      // contexts, whoever tells
  mutable ContextAttributes attributes_;                 // handlers remember what they have copied
  std::deque<ThreadLocalPlace> places_;                  // all that there ever were: a handler may be at any of them
  ThreadLocalSymbol symbol_;                             // what the place is of
  bool open_ = false, asked_ = false, said_ = false, said_unknown_ = false;
  uint64_t changes_ = 0;  // library_changes() at the last look
  uint32_t tends_ = 0;
};

}  // namespace rec::agent
