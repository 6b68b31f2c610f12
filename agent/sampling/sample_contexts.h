// SPDX-License-Identifier: Apache-2.0
// SampleContexts writes the request that a sample was taken in: where a loaded library exports OpenTelemetry's thread
// context (thread_context.h), each sample of a thread with a valid one has an event rec.SampleContext in front of it, with
// its thread and its start time, by which readers put them together.
//
//   open() -> tend(): libraries are searched when they come and go -> handlers: of_caller() -> close()
//
// One event a sample, and none for each change of the context: what is lost or cut off then costs a sample its context, and
// no other sample gets a wrong one.
//
// There is one for the life of the process, as handlers may come late.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>

#include "agent/hotspot/x86_64/thread_local_place.h"
#include "recorder/spool/event_log.h"

namespace rec::agent {

class SampleContexts {
 public:
  // Ordinary threads, one at a time. asked: whoever wants them by name is told when there are none.
  void open(bool asked);
  void close();
  void tend();  // of the housekeeper, once a second

  // Signal-safe, where a load may fault. The calling thread's context, to be committed with its sample (Epoch::commit());
  // of kind kNone if there is none.
  Event of_caller() const {
    // acquire: pairs with the release in look(): the place is whole.
    const ThreadLocalPlace* const place = place_.load(std::memory_order_acquire);
    return place == nullptr ? Event() : of_thread(*place, thread_pointer());
  }
  // Likewise, of a thread that stands: whoever asks makes sure that it has not moved. pointer: its thread pointer; 0: not
  // known.
  Event of_other(uint64_t pointer) const {
    // acquire: pairs with the release in look(), likewise.
    const ThreadLocalPlace* const place = place_.load(std::memory_order_acquire);
    return place == nullptr || pointer == 0 ? Event() : of_thread(*place, pointer);
  }

 private:
  static constexpr uint32_t kPatienceTends = 10;  // before somebody who asked is told that there is none

  static Event of_thread(const ThreadLocalPlace& place, uint64_t pointer);
  void look();
  void say_missing();
  const ThreadLocalPlace* keep(const ThreadLocalPlace& place);

  std::atomic<const ThreadLocalPlace*> place_{nullptr};  // null: contexts are not written
  std::deque<ThreadLocalPlace> places_;                  // all that there ever were: a handler may be at any of them
  ThreadLocalSymbol symbol_;                             // what the place is of
  bool open_ = false, asked_ = false, said_ = false, said_unknown_ = false;
  uint64_t changes_ = 0;  // library_changes() at the last look
  uint32_t tends_ = 0;
};

}  // namespace rec::agent
