// SPDX-License-Identifier: Apache-2.0
// ContinuationCode is the VM's code that enters continuations. It is made when the first one is about to be entered, which
// may be long after the start: so it is read when a walk asks for it, and kept from then on. Signal-safe.
//
//   kUnread --> kKeeping (one reader has it) --> kKept, for good
#pragma once

#include <atomic>
#include <cstdint>

#include "agent/hotspot/processor/enter_special.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

class ContinuationCode {
 public:
  // All 0 when there is no such code yet, or it is not as we know it, or not as the VM's tables say.
  EnterSpecial entry(const Layout& layout) const;

 private:
  enum class State : uint8_t { kUnread, kKeeping, kKept };

  mutable std::atomic<State> state_{State::kUnread};
  mutable EnterSpecial kept_;  // written by who sets kKeeping, read once it is kKept
};

}  // namespace rec::agent
