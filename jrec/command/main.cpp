// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstring>
#include <new>
#include <system_error>

#include <unistd.h>

#include "jrec/base/exit_code.h"
#include "jrec/base/interrupt.h"
#include "jrec/command/commands.h"

namespace {

// Needs no memory.
[[noreturn]] void end_without(const char* what) {
  for (const char* part : {"jrec: ", what, "\n"})
    [[maybe_unused]] const ssize_t said = ::write(STDERR_FILENO, part, std::strlen(part));
  jrec::leave_with(jrec::kOutputFailed);
}
[[noreturn]] void end_without_memory() { end_without("there is not enough memory; --jobs 1 takes the least"); }

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write(), and an exit code
  std::set_new_handler(end_without_memory);
  jrec::exit_when_interrupted();
  try {
    return jrec::run(argc, argv);
  } catch (const std::bad_alloc&) {  // of a library that asks malloc()
    end_without_memory();
  } catch (const std::system_error& error) {  // of a thread that cannot be made
    end_without(error.what());
  }
}
