// SPDX-License-Identifier: Apache-2.0
// The stack protector's word for a librec.so for aarch64 that needs libc alone. glibc has it in its loader, which is not linked since musl's
// has another name; the compiler's own would have the same value everywhere. Here it is random, as glibc's. Nobody sees it but librec.so.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

uintptr_t __stack_chk_guard = 0x0a00ff0d00000000;

// While the library is loaded, when none of its protected functions is running. The lowest byte, which is the first one, stays 0: a text
// that runs over its end cannot write it.
__attribute__((constructor, no_stack_protector)) static void choose_guard(void) {
  const void* random = (const void*)getauxval(AT_RANDOM);  // 16 bytes of the kernel's
  if (random != NULL) memcpy((char*)&__stack_chk_guard + 1, random, sizeof __stack_chk_guard - 1);
}

__attribute__((noreturn)) void __stack_chk_fail(void) {
  static const char kSaid[] = "rec: stack smashing detected\n";
  (void)!write(STDERR_FILENO, kSaid, sizeof kSaid - 1);
  abort();
}
