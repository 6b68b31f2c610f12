// SPDX-License-Identifier: Apache-2.0
// Every limit of the recorder, with its reason. What does not fit is counted (loss.h); nothing grows past these.
// Signal-safe.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rec {

// The spool's address space per epoch; blocks are allocated as they are needed. A rotation starts at half of either, so
// the other half is for what arrives while the recorder thread is busy.
inline constexpr uint64_t kLogBytes = 64u << 20;     // 2 million events
inline constexpr uint64_t kArenaBytes = 256u << 20;  // a million typical stacks and names
// Blocks that an epoch starts with. Enough for what comes while the recorder thread waits for a slow disk to sync a
// chunk; after a busy epoch the next one starts with half of what that one used, up to the step.
inline constexpr uint64_t kLogFirstBytes = 512u << 10;
inline constexpr uint64_t kArenaFirstBytes = 2u << 20;
inline constexpr uint64_t kSpoolStepBytes = 16u << 20;       // a range doubles when half used, by at most this
inline constexpr uint64_t kSpoolRoomBytes = 16u << 20;       // free bytes a place for spools must have to be chosen
inline constexpr uint64_t kSpoolLeastStepBytes = 64u << 10;  // not worth a call below that

// Tag tables: 4 bytes an id of reserved address space, touched pages only. Halved while the system refuses the
// reservation.
inline constexpr uint64_t kMaxClassIds = 1u << 26;
inline constexpr uint64_t kMaxLoaderIds = 1u << 24;
inline constexpr uint64_t kMinTagIds = 1u << 20;

// Stack table: generations of doubling capacity.
inline constexpr unsigned kFirstStackTableBits = 12;
inline constexpr unsigned kLastStackTableBits = 20;
inline constexpr unsigned kStackProbes = 16;

inline constexpr size_t kMaxFrames = 8192;        // frames beyond are cut and the stack is marked truncated
inline constexpr unsigned kMaxVersionWalk = 8;    // versions of one method looked at before it is copied again
inline constexpr unsigned kMaxOverflowWalk = 64;  // likewise methods whose idnum is beyond their class' table
inline constexpr unsigned kMaxLoaderDepth = 64;   // loaders of loaders that a lease follows
inline constexpr uint32_t kMaxLineTableBytes = 64u << 10;

// Tries of a bounded loop. Each failed one means that another writer got through.
inline constexpr unsigned kClaimTries = 256;
inline constexpr unsigned kPublishTries = 16;
inline constexpr unsigned kPinTries = 4;

inline constexpr size_t kPinStripes = 32;
inline constexpr size_t kPinSets = 8;                       // two in use, the others replace abandoned ones
inline constexpr int64_t kQuiesceLimitNs = 10'000'000'000;  // a pin that lives longer costs its epoch's memory

// What counts unless the user says otherwise; the reasons are with the options (agent/options/options.h).
inline constexpr int64_t kDefaultPeriodNs = 10'000'000;
inline constexpr int64_t kDefaultFlushNs = 1'000'000'000;
inline constexpr uint64_t kDefaultChunkSize = 12u << 20;

// Chunks and segments.
inline constexpr size_t kSegmentBytes = 1u << 20;  // a flush is appended in pieces of about this size
// Capacity beyond max_chunk_size: the last segment and the end events.
inline constexpr uint64_t kChunkSlackBytes = 4u << 20;
inline constexpr uint64_t kMinChunkSize = 1u << 20;
inline constexpr uint64_t kMaxChunkSize = 240u << 20;       // an event, hence rec.Filler, ends at 256 MiB
inline constexpr uint64_t kChunksInMaxSize = 8;             // at least; retention drops whole ones
inline constexpr int64_t kChunksInMaxAge = 10;              // likewise
inline constexpr int64_t kLeastChunkAgeNs = 1'000'000'000;  // however short max_age is
inline constexpr size_t kMostUntrimmed = 1024;              // chunks whose filler is to be cut off later
inline constexpr size_t kMaxContentIds = 1u << 16;          // symbols, packages, ... remembered across chunks, each
inline constexpr int64_t kCpuLoadIntervalNs = 900'000'000;  // not more than one jdk.CPULoad in this time

}  // namespace rec
