// SPDX-License-Identifier: Apache-2.0
#include "agent/process/system_calls.h"

#include <sys/syscall.h>

namespace rec::agent {
namespace {

struct Row {
  int number;
  const char* name;
};

#define REC_CALL(name) \
  Row { SYS_##name, #name }
constexpr Row kCalls[] = {
    REC_CALL(futex),
    REC_CALL(nanosleep),
    REC_CALL(clock_nanosleep),
    REC_CALL(restart_syscall),
    REC_CALL(sched_yield),
    REC_CALL(epoll_pwait),
    REC_CALL(ppoll),
    REC_CALL(pselect6),
    REC_CALL(io_getevents),
    REC_CALL(accept),
    REC_CALL(accept4),
    REC_CALL(connect),
    REC_CALL(recvfrom),
    REC_CALL(recvmsg),
    REC_CALL(sendto),
    REC_CALL(sendmsg),
    REC_CALL(sendfile),
    REC_CALL(splice),
    REC_CALL(ioctl),
    REC_CALL(fcntl),
    REC_CALL(flock),
    REC_CALL(read),
    REC_CALL(readv),
    REC_CALL(write),
    REC_CALL(writev),
    REC_CALL(pread64),
    REC_CALL(pwrite64),
    REC_CALL(openat),
    REC_CALL(close),
    REC_CALL(statx),
    REC_CALL(getdents64),
    REC_CALL(unlinkat),
    REC_CALL(fallocate),
    REC_CALL(ftruncate),
    REC_CALL(fsync),
    REC_CALL(fdatasync),
    REC_CALL(msync),
    REC_CALL(copy_file_range),
    REC_CALL(mmap),
    REC_CALL(munmap),
    REC_CALL(mprotect),
    REC_CALL(madvise),
    REC_CALL(brk),
    REC_CALL(mlock),
    REC_CALL(membarrier),
    REC_CALL(rt_sigtimedwait),
    REC_CALL(rt_sigsuspend),
    REC_CALL(wait4),
    REC_CALL(waitid),
    REC_CALL(semop),
    REC_CALL(semtimedop),
    REC_CALL(msgrcv),
    REC_CALL(msgsnd),
    REC_CALL(clone),
    REC_CALL(execve),
    Row{426, "io_uring_enter"},
    Row{435, "clone3"},
    Row{441, "epoll_pwait2"},
    Row{449, "futex_waitv"},  // everywhere
#ifdef SYS_poll               // not on processors that came late
    REC_CALL(poll),
    REC_CALL(select),
    REC_CALL(epoll_wait),
    REC_CALL(pause),
    REC_CALL(open),
    REC_CALL(vfork),
#endif
};
#undef REC_CALL

}  // namespace

const char* system_call_name(int number) {
  if (number < 0) return nullptr;
  for (const Row& call : kCalls)
    if (call.number == number) return call.name;
  return nullptr;
}

}  // namespace rec::agent
