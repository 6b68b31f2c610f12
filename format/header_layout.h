// SPDX-License-Identifier: Apache-2.0
// The 68 bytes at the head of each chunk, as writer and reader both see them. All numbers are big-endian and of fixed
// width.
//
//    0 magic "FLR\0" | 4 major u16 | 6 minor u16 | 8 size u64 | 16 checkpoint u64 | 24 metadata u64
//   32 start_unix_ns u64 | 40 duration_ns u64 | 48 start_ticks u64 | 56 ticks_per_second u64
//   64 state u8 | 65 pad u8 | 66 flags u16 | 68 first event
//
// Offsets in the header count from the chunk's first byte, not the file's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace jfr {

inline constexpr std::array<uint8_t, 4> kChunkMagic = {'F', 'L', 'R', 0};
inline constexpr uint16_t kMajorVersion = 2;
inline constexpr uint16_t kMinorVersion = 1;

inline constexpr size_t kMagicOffset = 0;
inline constexpr size_t kMajorOffset = kMagicOffset + kChunkMagic.size();
inline constexpr size_t kMinorOffset = kMajorOffset + 2;
inline constexpr size_t kSizeOffset = kMinorOffset + 2;           // bytes in the chunk, header included
inline constexpr size_t kCheckpointOffset = kSizeOffset + 8;      // newest checkpoint; the others hang off it
inline constexpr size_t kMetadataOffset = kCheckpointOffset + 8;  // newest metadata event
inline constexpr size_t kStartNanosOffset = kMetadataOffset + 8;  // since the Unix epoch
inline constexpr size_t kDurationOffset = kStartNanosOffset + 8;  // ns
inline constexpr size_t kStartTicksOffset = kDurationOffset + 8;  // the ticks at the start
inline constexpr size_t kTicksPerSecondOffset = kStartTicksOffset + 8;
inline constexpr size_t kStateOffset = kTicksPerSecondOffset + 8;
inline constexpr size_t kPadOffset = kStateOffset + 1;
inline constexpr size_t kFlagsOffset = kPadOffset + 1;
inline constexpr size_t kHeaderSize = kFlagsOffset + 2;
static_assert(kHeaderSize == 68, "the JDK expects exactly this header");

// State: 1..254 is the generation of a chunk that is still being written, new with each flush.
inline constexpr uint8_t kStateFinished = 0;
inline constexpr uint8_t kStateLocked = 255;  // the header is being changed: read it again

// Types of the two events that are no events of the application; each other type's id stands in the metadata.
inline constexpr uint64_t kMetadataType = 0;
inline constexpr uint64_t kCheckpointType = 1;

inline constexpr uint16_t kFlagCompressed = 1;  // integers are LEB128
inline constexpr uint16_t kFlagFinal = 2;       // the recording's last chunk

}  // namespace jfr
