// SPDX-License-Identifier: Apache-2.0
// Functions that glibc has only since the version named, by their system calls, for a librec.so that needs glibc 2.17 alone.
// Nobody sees them but librec.so. On kernels that have not got a call either, each fails with ENOSYS as the kernel says it,
// and callers have another way.
#include "packaging/older_libc.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// Linux 3.17. Before that the device gives the same bytes.
static ssize_t read_random(void* to, size_t size) {
  const int device = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (device < 0) return -1;
  const ssize_t got = read(device, to, size);
  close(device);
  return got;
}

ssize_t getrandom(void* to, size_t size, unsigned flags) {  // glibc 2.25
  const ssize_t got = syscall(SYS_getrandom, to, size, flags);
  return got < 0 && errno == ENOSYS ? read_random(to, size) : got;
}

ssize_t copy_file_range(int from, off64_t* from_at, int to, off64_t* to_at, size_t size, unsigned flags) {  // 2.27
  return syscall(SYS_copy_file_range, from, from_at, to, to_at, size, flags);
}

int renameat2(int from_at, const char* from, int to_at, const char* to, unsigned flags) {  // 2.28
  return (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
}

int statx(int at, const char* path, int flags, unsigned mask, struct statx* to) {  // 2.28
  return (int)syscall(SYS_statx, at, path, flags, mask, to);
}

pid_t gettid(void) { return (pid_t)syscall(SYS_gettid); }  // 2.30
