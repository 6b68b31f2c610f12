// SPDX-License-Identifier: Apache-2.0
// CriticalStalls finds collections that JNI critical sections hold up: when (CriticalTrack), by whom and who waits
// (CriticalThreads). Most VMs have none most of the time: a look is then a load or two. The watcher's thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agent/hotspot/state/critical_words.h"
#include "agent/safepoint/critical_threads.h"
#include "agent/safepoint/critical_track.h"
#include "agent/safepoint/settings.h"

namespace rec::agent {

class CriticalStalls {
 public:
  CriticalStalls(const VmCode& vm, ThreadRegistry& threads, FrozenStack& frozen, const ThreadWords& words,
                 const SafepointSettings& settings)
      : tools_{vm, threads, frozen, words, words_}, settings_(settings) {}

  // slots: as in CriticalWords.
  void open(const VmLibrary& library, std::vector<uint32_t> slots) { words_.open(library, std::move(slots)); }

  // One goes on, or begins with the next look().
  bool busy() const { return track_.goes_on() || words_.held() != CriticalWords::Held::kNo; }
  void note(const SafepointLook& look) { track_.note(look); }  // while busy(), before look()
  // One that is over, and was held up for long.
  std::optional<CriticalTrack::Stall> look(int64_t now);
  std::optional<CriticalTrack::Stall> break_off(int64_t now);  // the recording ends

  // It, with its texts; once, before the next look(). True: it is in the recording.
  bool write(const CriticalTrack::Stall& stall, LockerStall event);

 private:
  std::optional<CriticalTrack::Stall> if_long(std::optional<CriticalTrack::Stall> stall);

  CriticalWords words_;
  const CriticalThreads::Tools tools_;
  const SafepointSettings& settings_;
  CriticalTrack track_;
  std::unique_ptr<CriticalThreads> going_on_, over_;
  int64_t stalls_ = 0;
};

}  // namespace rec::agent
