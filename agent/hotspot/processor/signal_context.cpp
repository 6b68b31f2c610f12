// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/signal_context.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/process/handler_local.h"
#include "agent/process/page_access.h"

namespace rec::agent {
namespace {

constexpr uint64_t kPage = 4096, kNeeded = 2 * kPage;
constexpr uint64_t kNeededForJava = 2560;  // without native frames, and without what the kernel puts there for a fault

// A safe load that faults would need room itself: the kernel puts another signal's frame on this stack. So the kernel is
// asked, which takes no room; and not again while the thread stays about here. The stack of the process' first thread is
// made longer by a load, and by nothing else.
bool may_use(uint64_t address) {
  if (access_of(reinterpret_cast<const void*>(address & ~uint64_t{3})) == PageAccess::kWritable) return true;
  uint8_t byte = 0;
  return syscall(SYS_gettid) == getpid() && load8(address, byte);
}

bool has_room_below(uint64_t here) {
  // The page of the last `here` that had room; of its number what tells pages of one thread's stacks apart.
  static constinit REC_HANDLER_LOCAL uint32_t known = 0;
  const auto page = static_cast<uint32_t>(here / kPage);
  if (page == known) return true;
  if (!may_use(here - kPage) || !may_use(here - kNeeded)) return false;
  known = page;
  return true;
}

// Of the stack for handlers, on which the thread may stand.
struct AlternateRoom {
  bool stands_there;
  uint64_t taken, left;  // by the signal's frame and our functions; below that
};
AlternateRoom room_on(const stack_t& alternate) {
  const auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  const uint64_t left = here - reinterpret_cast<uint64_t>(alternate.ss_sp);
  return {(alternate.ss_flags & SS_DISABLE) == 0 && left < alternate.ss_size, alternate.ss_size - left, left};
}

bool has_room_on(const stack_t& alternate) {
  const AlternateRoom room = room_on(alternate);
  return room.stands_there ? room.left >= kNeeded
                           : has_room_below(reinterpret_cast<uint64_t>(__builtin_frame_address(0)));
}

// A fault takes what this signal has taken: the kernel's frame, as large as the processor's registers, is most of it.
bool has_room_for_fault(const stack_t& alternate) {
  const AlternateRoom room = room_on(alternate);
  return !room.stands_there || room.left >= kNeededForJava + room.taken;
}

}  // namespace

bool has_room(const ucontext_t& context) { return has_room_on(context.uc_stack); }

bool has_room_here() {
  stack_t alternate{};
  return sigaltstack(nullptr, &alternate) == 0 && has_room_on(alternate);
}

bool may_fault(const ucontext_t& context) {
  return sigismember(&context.uc_sigmask, SIGSEGV) != 1 && fault_handler_ready() &&
         has_room_for_fault(context.uc_stack);
}

bool may_fault_here() {
  sigset_t blocked;
  return pthread_sigmask(SIG_BLOCK, nullptr, &blocked) == 0 && sigismember(&blocked, SIGSEGV) != 1 &&
         fault_handler_ready();
}

}  // namespace rec::agent
