// SPDX-License-Identifier: Apache-2.0
// FrameTable keeps each frame once, from dump to dump. find() is a probe; add() copies the texts out of the VM. One thread.
//
// Keys with the same Method* and bytecode index but another version are other frames: see FrameKey.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/hotspot/walk/frame_facts.h"
#include "agent/threads/thread_dump.h"

namespace rec::agent {

class FrameTable {
 public:
  explicit FrameTable(std::vector<DumpFrame>& frames) : frames_(frames), slots_(kFirstSlots) {}

  uint32_t find(const FrameKey& key) const;                    // kUnknownFrame: not there
  uint32_t add(const FrameFacts& facts);                       // the texts are copied; kUnknownFrame: they are gone
  void clear() { slots_.assign(kFirstSlots, {}), used_ = 0; }  // the frames, too, are cleared

 private:
  static constexpr size_t kFirstSlots = 1 << 12;  // a power of two
  struct Slot {
    FrameKey key;
    uint32_t frame = kUnknownFrame;
  };
  size_t place_of(const FrameKey& key) const;
  void grow();

  std::vector<DumpFrame>& frames_;
  std::vector<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace rec::agent
