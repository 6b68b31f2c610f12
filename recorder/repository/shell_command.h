// SPDX-License-Identifier: Apache-2.0
// Runs a command of the user as a process of its own, without a trace of ours in it:
//
//   /bin/sh -c 'COMMAND "$@"' sh ARGUMENT
//
// No descriptor but 0 (/dev/null), 1 and 2; no signal blocked or ignored; a process group of its own; the environment
// of this process without the variables that load agents into a JVM, or a command that starts Java would be recorded
// too, and start commands of its own. Ordinary threads only.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace rec {

// The process, or -1 with errno. A command that is missing shows by the shell's exit code, 127.
pid_t start_shell_command(const std::string& command, const std::string& argument);

// How it ended, as waitpid() says; kEndUnknown if the application has waited for it, or has made the kernel forget
// children. Nothing: it still runs. Never waits, and asks for this very process only: other children are the application's. Not to be called
// again once it has answered.
inline constexpr int kEndUnknown = -1;
std::optional<int> end_of_shell_command(pid_t process);

// With its group; only while end_of_shell_command() has not answered, so that the id is still its own.
void kill_shell_command(pid_t process);

}  // namespace rec
