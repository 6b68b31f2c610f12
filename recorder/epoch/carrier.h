// SPDX-License-Identifier: Apache-2.0
// A Carrier takes events that are not to be written yet from an epoch that closes into the one that is current: what they
// refer to is copied, each thing once. Between the closing epoch's last pin and its end.
//
// Recorder thread only.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "recorder/epoch/epoch.h"

namespace rec {

class Carrier {
 public:
  Carrier(Epoch& from, Epoch& to) : from_(from), to_(to), facts_(from.facts()) {}

  // An event with a DetailFact: its Refs are those of the epoch that is current, afterwards. False: there is no room.
  bool carry(Event& event);
  const Epoch& from() const { return from_; }
  Epoch& to() { return to_; }

 private:
  template <typename Fact, typename Copy>
  Ref<Fact> once(std::unordered_map<uint32_t, uint32_t>& known, Ref<Fact> ref, Copy copy);
  Ref<ThreadFact> thread(Ref<ThreadFact> ref);
  Ref<ClassFact> klass(Ref<ClassFact> ref);
  Ref<StackFact> stack(Ref<StackFact> ref);

  Epoch& from_;
  Epoch& to_;
  FactReader facts_;
  std::unordered_map<uint32_t, uint32_t> threads_, classes_, stacks_;  // unit there -> unit here
  uint32_t carried_ = 0;
};

// Who has such events. Called by the recorder thread.
class Heir {
 public:
  virtual ~Heir() = default;
  virtual void epoch_ends() {}                 // while it is current still, and may be pinned
  virtual void inherit(Carrier& carrier) = 0;  // when the writers have been moved on
};

}  // namespace rec
