// SPDX-License-Identifier: Apache-2.0
// Thread-locals that handlers use: none of them may be allocated at its first use in a thread, which may be in a handler.
//
//   REC_HANDLER_LOCAL int own_error = 0;
//
//   as a rule       initial-exec: the loader gives them a place beside the thread pointer, in each thread, or does not load
//                   this library. musl's loader refuses that to whoever comes by dlopen(), as agents do.
//   REC_ANY_LIBC    descriptors (-mtls-dialect=gnu2): glibc's loader gives them that place where there is one left, and
//                   else allocates at the first use: has_handler_locals() finds out. musl has allocated a block for each
//                   thread when dlopen() returns, and for a new one before it starts.
//
// A library that is loaded late gets little of that room: 512 bytes by glibc's default. ELF Handling for Thread-Local
// Storage (Drepper); glibc's elf/dl-reloc.c (_dl_try_allocate_static_tls), musl's ldso/dynlink.c (install_new_tls).
//
// Signal-safe.
#pragma once

#ifdef REC_ANY_LIBC
#define REC_HANDLER_LOCAL thread_local
#else
#define REC_HANDLER_LOCAL __attribute__((tls_model("initial-exec"))) thread_local
#endif
