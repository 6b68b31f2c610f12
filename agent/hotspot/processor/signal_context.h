// SPDX-License-Identifier: Apache-2.0
// What all our signal handlers need of the thread that they interrupt. Signal-safe.
#pragma once

#include <ucontext.h>

#include <cerrno>

#include "agent/hotspot/processor/registers.h"

namespace rec::agent {

// The interrupted code finds errno as it was.
class ErrnoSaver {
 public:
  ErrnoSaver() : saved_(errno) {}
  ~ErrnoSaver() { errno = saved_; }
  ErrnoSaver(const ErrnoSaver&) = delete;
  ErrnoSaver& operator=(const ErrnoSaver&) = delete;

 private:
  const int saved_;
};

Registers registers_of(const ucontext_t& context);

// Of the handler's own stack: is there room for a long walk? An alternate one may have next to none, and that of a small
// thread ends at a page that nobody may touch. At most two system calls. Where may_fault().
bool has_room(const ucontext_t& context);
bool has_room_here();  // outside of a handler, likewise

// A safe load that faults would end the process on a thread that blocks SIGSEGV, or when somebody has put a handler in
// the place of ours that does not pass faults on. Ours goes in front of him again, a little later (fault_handler.h). And
// on a small alternate stack it would write over what lies below: there is to be room for a walk of Java's frames and a
// fault in it.
bool may_fault(const ucontext_t& context);
bool may_fault_here();  // outside of a handler, of the calling thread: two system calls

}  // namespace rec::agent
