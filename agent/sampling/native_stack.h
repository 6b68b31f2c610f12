// SPDX-License-Identifier: Apache-2.0
// NativeStack is the stack of the calling thread, one that Java does not know, from a frame of its own that it has noted.
// Walked at once; tagged when an epoch is pinned (anchored_stack.h is the same for Java's threads). No allocation, no lock.
#pragma once

#include "agent/hotspot/state/thread_kind.h"
#include "agent/sampling/sampler.h"

namespace rec::agent {

class NativeStack {
 public:
  // from: the frame is still there; a pc of 0: there is no stack.
  NativeStack(Sampler& sampler, const Registers& from);
  ~NativeStack();
  NativeStack(const NativeStack&) = delete;
  NativeStack& operator=(const NativeStack&) = delete;

  explicit operator bool() const { return walk_.count > 0; }  // false: there is none, or all room is in use

  // Nothing: there is no room in the epoch. Once. kind: not kJava.
  Ref<StackFact> tag(Epoch& epoch, ThreadKind kind) const;

 private:
  Sampler& sampler_;
  ScratchPool::Scratch scratch_;
  Walk walk_;
};

}  // namespace rec::agent
