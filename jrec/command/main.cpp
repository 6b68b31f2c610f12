// SPDX-License-Identifier: Apache-2.0
#include <csignal>

#include "jrec/base/interrupt.h"
#include "jrec/command/commands.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write(), and an exit code
  jrec::exit_when_interrupted();
  return jrec::run(argc, argv);
}
