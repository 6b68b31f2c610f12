// SPDX-License-Identifier: Apache-2.0
// Where HotSpot keeps what in frames of fixed shape: slots of 8 bytes, counted from the frame pointer downwards
// (src/hotspot/cpu/aarch64/frame_aarch64.hpp). Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent::aarch64 {

// Of an interpreted method's frame; the return address lies above the frame pointer.
inline constexpr int kReturnSlot = 1, kSenderSpSlot = -1, kMethodSlot = -3, kLocalsSlot = -8, kBytecodeSlot = -9,
                     kLastFixedSlot = -10;

// The monitors of an interpreted frame lie below its fixed slots, the one locked first on top. How far down they go stands
// in the last of these slots: an address, or from 22 on (JDK-8315966) slots from the frame pointer.
inline constexpr int kMonitorsEndSlot = kLastFixedSlot;
inline constexpr uint64_t kMonitorBytes = 16, kMonitorObject = 8;  // BasicObjectLock

// What HotSpot's debug information calls the register that compiled code keeps across a call: x29, in halves.
inline constexpr uint32_t kKeptRegister = 58;

// Of the call stub's frame: the JavaCallWrapper.
inline constexpr int kCallWrapperSlot = -8;

// Of a complete frame of compiled code: below its caller's sp.
inline constexpr uint64_t kReturnBelowCaller = 8, kSavedFpBelowCaller = 16;

// An interpreted frame's caller's sp, by what the frame says, and where the frame ends. An interpreted caller has moved sp out of
// the way of its own stack, on top of which the callee's frame then lies: it says less, and does not need its sp.
inline uint64_t sender_above(uint64_t sender_sp, uint64_t end) { return sender_sp > end ? sender_sp : end; }

inline uint64_t slot(uint64_t fp, int index) { return fp + static_cast<uint64_t>(static_cast<int64_t>(index) * 8); }

}  // namespace rec::agent::aarch64
