// SPDX-License-Identifier: Apache-2.0
// Every sample ends written or counted here under one cause: samples due = samples written + the sum of all losses. A
// tick that stands for several periods of CPU time is so many samples.
// The counts go into each chunk as one rec.Counters event. Signal-safe.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace rec {

enum class Loss : uint8_t {
  kNotRecording,    // the signal came while no epoch was open
  kNoThread,        // the signal hit a thread that is not known (yet, or any more)
  kEpochMoving,     // the epoch changed several times while the writer tried to pin it
  kLogFull,         // the event log had no room
  kLogContended,    // too many writers at the event log's tail
  kArenaFull,       // no room for the names or the stack
  kStackTableFull,  // the table of distinct stacks was full
  kChunkLost,       // it was in a chunk that somebody removed and that could not be written again
  kSignalBlocked,   // the thread blocks the clock's signal: ticks that it never took
  kNoClock,         // the system gave the thread none: RLIMIT_SIGPENDING is used up, or timers are forbidden
  kKernelUnseen,    // perf may not see the kernel, and the thread was in it
  kThreadUnseen,  // what threads ran that had no clock: native ones that were over before anybody looked, and what Java
                  // threads run before they begin and after they end
  kSpoolDamaged,  // recovery found its slot in the spool of a dead process cut, zeroed or changed
  kCount,
};
inline constexpr size_t kLossCount = static_cast<size_t>(Loss::kCount);
const char* loss_name(Loss loss);  // as in rec.Counters: "logFull"

// Facts about samples that were written all the same.
enum class Note : uint8_t {
  kSamples,           // samples committed
  kTruncated,         // stacks cut at the stack depth
  kBroken,            // stacks whose walk stopped before the thread's root; marked truncated
  kUnnamed,           // frames whose method could not be read; written as "unknown"
  kFaultedLoads,      // safe loads that faulted
  kOverrun,           // of them: those that repeat another, since a tick stood for several
  kNamesRefused,      // tag_ calls refused: arena or tag table full, or memory not readable; frames are "unknown"
  kEpochsAbandoned,   // epochs whose memory was given up because a pin did not end
  kEventsRefused,     // events other than samples (late threads, thread dumps) for which there was no room
  kSafepointsUnseen,  // safepoints that followed each other between two looks: one may have been late, none is written
  kNotWalked,         // stacks of which no frame was found, or looked for: a frame that says why stands for them
  kOutsideJava,       // threads without a Java frame: likewise. Threads that Java does not know are among them
  kThreadsEnded,      // threads with a clock that ended,
  kThreadsUnsampled,  // of these: without a sample. Short ones have their chance (cpu_account.h), and most have no luck
  kTicks,             // of clocks, handled
  kCpuMs,             // of threads, while they had a clock: this and kTicks give the rate
  kHandlerUs,         // of CPU time that the ticks' handlers took, by those that were timed
  kProcessCpuMs,      // of all threads of the process, while all were to be sampled
  kAllocations,       // allocations that were sampled and written,
  kAllocationsLost,   // those for which there was no room, or whose thread is not known,
  kAllocatedKbLost,   // and what these stood for
  kLiveObjects,       // objects that were alive, written
  kLiveDropped,       // objects that were sampled for it and let go: there was no room; others' weights tell of them
  kLiveUnproven,      // sampled, and not written: no collection has passed over them by the recording's end
  kLockWaits,         // waits for locks that were written,
  kLockWaitsLost,     // those for which there was no room, or whose thread is not known,
  kLocksShort,        // and those below the threshold: to enter a monitor,
  kLocksShortUs,      // and how long these were together;
  kWaitsShort,        // to be notified,
  kWaitsShortUs,
  kParksShort,  // parks,
  kParksShortUs,
  kSleepsShort,  // and sleeps
  kSleepsShortUs,
  kMallocs,            // allocations of native memory that were sampled and written,
  kMallocsLost,        // those for which there was no room,
  kMallocsUnfollowed,  // those of which no free could have been told, since too many are alive: they are not written,
  kMallocBytesLost,    // and what these two stood for
  kFrees,              // their ends, written,
  kFreesLost,          // and those for which there was no room: they look as if they leaked
  kExceptions,         // that were made,
  kExceptionsWritten,  // of these: written, and others stand for those that are not,
  kExceptionsLost,     // and those for which there was no room, or whose thread is not known, with what they stood for
  kHandshakesUnseen,   // handshakes that may have been late, and are not written: found late, or too many at a time
  kNativeCut,  // stacks whose native frames end before the thread's start, marked truncated; or are left out (walk_budget.h)
  kKernelHidden,   // samples of a thread for whose kernel frames there was no memory that may be locked
  kHandshakeGaps,  // times that the watcher got no CPU for as long as is late: handshakes that came and went are unknown
  kSpans,          // spans of the application that were written,
  kSpansLost,      // those for which there was no room, or that another thread has closed,
  kSpansShort,     // and those below the threshold,
  kSpansShortUs,   // and how long these were together
  kContextsRefused,   // contexts that were set and are not kept: too many virtual threads have one
  kSpanNamesRefused,  // spans and contexts with a name for which there was no room ("[other]"), or with a number of none
  kChangeUnseenMs,  // of CPU time of the process while its clocks stood still for another interval: no samples stand for it
  kStacksLost,  // stacks of allocations, waits and the like for which there was no room: the event is written without one
  kCount,
};
inline constexpr size_t kNoteCount = static_cast<size_t>(Note::kCount);
const char* note_name(Note note);

// Counters grow only. Striped, so that threads do not share cache lines; sums are taken by the recorder thread.
class LossCounters {
 public:
  void count(Loss loss, uint64_t n = 1) {
    assert(loss < Loss::kCount && "a loss has a cause; a pin that was taken has none");
    stripe().losses[static_cast<size_t>(loss)].fetch_add(n, std::memory_order_relaxed);
  }
  void note(Note note, uint64_t n = 1) {
    assert(note < Note::kCount && "kCount is no note");
    stripe().notes[static_cast<size_t>(note)].fetch_add(n, std::memory_order_relaxed);
  }
  uint64_t total(Loss loss) const;
  uint64_t total(Note note) const;

 private:
  static constexpr size_t kStripes = 16;
  struct alignas(64) Stripe {
    std::array<std::atomic<uint64_t>, kLossCount> losses{};
    std::array<std::atomic<uint64_t>, kNoteCount> notes{};
  };
  static size_t stripe_index();  // by the address of the caller's stack: cheap, spread, signal-safe
  Stripe& stripe() { return stripes_[stripe_index()]; }
  std::array<Stripe, kStripes> stripes_{};
};

}  // namespace rec
