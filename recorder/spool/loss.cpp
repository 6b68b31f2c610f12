// SPDX-License-Identifier: Apache-2.0
#include "recorder/spool/loss.h"

namespace rec {
namespace {

constexpr std::array<const char*, kLossCount> kLossNames = {
    "notRecording", "noThread",      "epochMoving", "logFull",      "logContended", "arenaFull",    "stackTableFull",
    "chunkLost",    "signalBlocked", "noClock",     "kernelUnseen", "threadUnseen", "spoolDamaged",
};
constexpr std::array<const char*, kNoteCount> kNoteNames = {
    "samples",           "truncated",         "broken",         "unnamed",
    "faultedLoads",      "overrun",           "namesRefused",   "epochsAbandoned",
    "eventsRefused",     "safepointsUnseen",  "notWalked",      "outsideJava",
    "threadsEnded",      "threadsUnsampled",  "ticks",          "cpuMs",
    "handlerUs",         "processCpuMs",      "allocations",    "allocationsLost",
    "allocatedKbLost",   "liveObjects",       "liveDropped",    "liveUnproven",
    "lockWaits",         "lockWaitsLost",     "locksShort",     "locksShortUs",
    "waitsShort",        "waitsShortUs",      "parksShort",     "parksShortUs",
    "sleepsShort",       "sleepsShortUs",     "mallocs",        "mallocsLost",
    "mallocsUnfollowed", "mallocBytesLost",   "frees",          "freesLost",
    "exceptions",        "exceptionsWritten", "exceptionsLost", "handshakesUnseen",
    "nativeCut",         "kernelHidden",      "handshakeGaps",  "spans",
    "spansLost",         "spansShort",        "spansShortUs",   "contextsRefused",
    "spanNamesRefused",  "changeUnseenMs",    "stacksLost",
};
static_assert(kLossNames.back() != nullptr && kNoteNames.back() != nullptr, "each cause has a name");

}  // namespace

const char* loss_name(Loss loss) { return kLossNames[static_cast<size_t>(loss)]; }
const char* note_name(Note note) { return kNoteNames[static_cast<size_t>(note)]; }

size_t LossCounters::stripe_index() {
  const char here = 0;
  return static_cast<size_t>((reinterpret_cast<uintptr_t>(&here) >> 14) * 0x9E3779B97F4A7C15u >> 60) % kStripes;
}

uint64_t LossCounters::total(Loss loss) const {
  uint64_t sum = 0;
  for (const Stripe& stripe : stripes_) sum += stripe.losses[static_cast<size_t>(loss)].load(std::memory_order_relaxed);
  return sum;
}

uint64_t LossCounters::total(Note note) const {
  uint64_t sum = 0;
  for (const Stripe& stripe : stripes_) sum += stripe.notes[static_cast<size_t>(note)].load(std::memory_order_relaxed);
  return sum;
}

}  // namespace rec
