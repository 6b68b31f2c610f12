// SPDX-License-Identifier: Apache-2.0
// Read before each source of what is for glibc 2.17 (-include): what headers for glibc 2.17 do not declare, and
// older_libc.c has.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/types.h>

// The C++ library's own checks of bounds, in place of those of glibc's that musl has not. zig says none on the command line.
#undef _LIBCPP_HARDENING_MODE
#define _LIBCPP_HARDENING_MODE _LIBCPP_HARDENING_MODE_FAST

#ifdef __cplusplus
extern "C" {
#endif
struct statx;
ssize_t getrandom(void* to, size_t size, unsigned flags);  // glibc 2.25
ssize_t copy_file_range(int from, off64_t* from_at, int to, off64_t* to_at, size_t size, unsigned flags);  // 2.27
int statx(int at, const char* path, int flags, unsigned mask, struct statx* to);  // 2.28
#ifdef __cplusplus
}
#endif
