// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
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

// Where there is no memory for an exception itself, none is thrown: the library ends the program instead.
[[noreturn]] void end_without_exception() {
  if (std::current_exception() != nullptr) std::abort();
  end_without_memory();
}

// In front of all constants that are made when the program begins.
[[gnu::constructor(101)]] void expect_little_memory() {
  std::set_new_handler(end_without_memory);
  std::set_terminate(end_without_exception);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write(), and an exit code
  jrec::exit_when_interrupted();
  try {
    return jrec::run(argc, argv);
  } catch (const std::bad_alloc&) {  // of a library that asks malloc()
    end_without_memory();
  } catch (const std::system_error& error) {  // of a thread that cannot be made
    end_without(error.what());
  }
}
