// SPDX-License-Identifier: Apache-2.0
// A look at a leftover spool before anything is made of it: whether it is what its process committed. The header's words,
// the slots and the facts carry checks (recorder/spool/checked_word.h, event_log.h, fact_check.h). What does not match is
// taken out of the private copy, so that what is encoded afterwards is true:
//
//   the file is cut, or pages of it are zeros   the events in there are lost
//   a slot                                      its event is lost
//   a stack, a thread, a method, a class        the event stays without it
//   a count of losses                           is left out
//   how many slots are in chunks                the second copy; without that all are taken, and may be there twice
//
// Time and memory are bounded by what the file has. Ordinary threads only.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "recorder/spool/spool.h"

namespace rec {

inline constexpr size_t kMostDamage = 32;  // places of one spool that are told

struct SpoolCheck {
  std::vector<base::Error> damage;  // kCorrupt, with offsets in the file
  uint64_t lost = 0;                // events
};

// The facts of the header have been looked at (header_edit.h).
SpoolCheck check_spool(Spool& spool);

}  // namespace rec
