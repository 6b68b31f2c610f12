// SPDX-License-Identifier: Apache-2.0
// Why a thread was late to a safepoint, in words, by what the recording knows of it: how much CPU it used meanwhile, in
// which state it was in the system and in the JVM, and where its questions found it.
//
//   waiting for a CPU                         ready to run, and used little
//   page faults, in /data/prices.bin          it waited for pages that were not in memory
//   in the kernel (folio_wait_bit_common)     asleep there: a disk, a lock
//   stopped by a debugger of the system       ptrace: gdb, strace; or, by a signal, SIGSTOP
//   a large copy                              System.arraycopy, clone, Arrays.copyOf and their like
//   code without polls in the JVM's stubs     filling, checksums, encodings
//   a loop without a poll, lines 42 to 47     the same compiled method each time
//   VM code, called by the method             in the VM
//   interpreted code, compiled code           anything else in Java
#pragma once

#include <string>

#include "jrec/safepoints/stalls.h"

namespace jrec {

// Empty: not known.
std::string reason_of(const LateThreadRow& row);

}  // namespace jrec
