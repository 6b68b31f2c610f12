// SPDX-License-Identifier: Apache-2.0
// AnchoredStack is the Java stack of the thread that has called us, from where it left Java code (its frame anchor): in a
// callback of the VM, say; or from where the thread stands in native code, if that is told, with the native frames above
// Java's. Walked at once, by the walker of samples and with the same room and memory of the last walk;
// tagged when an epoch is pinned, so that a pin does not last as long as a walk.
//
//   const AnchoredStack stack(sampler, thread);
//   const EpochPin pin;  ...  event.stack = stack.tag(*pin);
//
// Ordinary threads that Java knows. No allocation.
#pragma once

#include "agent/sampling/sampler.h"
#include "agent/sampling/thread_record.h"

namespace rec::agent {

class AnchoredStack {
 public:
  // from: a frame of the calling thread that is still there; a pc of 0: the anchor.
  AnchoredStack(Sampler& sampler, const ThreadRecord& thread, const Registers& from = {});
  ~AnchoredStack();
  AnchoredStack(const AnchoredStack&) = delete;
  AnchoredStack& operator=(const AnchoredStack&) = delete;

  explicit operator bool() const { return bool(scratch_); }  // false: all room is in use

  // Without so many of its innermost frames. Nothing: there is no room in the epoch, or there is no stack. Once.
  Ref<StackFact> tag(Epoch& epoch, size_t without = 0) const;

 private:
  void walk_from_anchor(uint64_t java_thread);

  Sampler& sampler_;
  ScratchPool::Scratch scratch_;
  LastWalks::Loan last_;
  Walk walk_;
};

// From where the VM has called this library, which is being told of an event; nothing, for the anchor, unless frames of its above Java's
// are wanted (cstack=vmx).
Registers teller_of_event(const Sampler& sampler);

}  // namespace rec::agent
