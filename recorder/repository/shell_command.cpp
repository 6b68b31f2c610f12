// SPDX-License-Identifier: Apache-2.0
#include "recorder/repository/shell_command.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace rec {
namespace {

constexpr int kFirstForeign = 3;             // descriptors from here on are the application's
constexpr unsigned kMostDescriptors = 4096;  // looked at where the C library cannot close a range

struct Attributes {
  Attributes() { posix_spawnattr_init(&of); }
  ~Attributes() { posix_spawnattr_destroy(&of); }
  posix_spawnattr_t of;
};

struct Actions {
  Actions() { posix_spawn_file_actions_init(&of); }
  ~Actions() { posix_spawn_file_actions_destroy(&of); }
  posix_spawn_file_actions_t of;
};

void set_signals_and_group(posix_spawnattr_t& attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

// Those that are open now and would be inherited; one that another thread opens meanwhile may slip through.
void close_each(posix_spawn_file_actions_t& actions) {
  DIR* const open = opendir("/proc/self/fd");
  if (open == nullptr) return;
  unsigned seen = 0;
  for (const dirent* entry; (entry = readdir(open)) != nullptr && seen < kMostDescriptors; ++seen) {
    const int fd = std::atoi(entry->d_name);
    const int flags = fcntl(fd, F_GETFD);
    if (fd >= kFirstForeign && flags >= 0 && (flags & FD_CLOEXEC) == 0) posix_spawn_file_actions_addclose(&actions, fd);
  }
  closedir(open);
}

void set_descriptors(posix_spawn_file_actions_t& actions) {
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  // glibc 2.34 and later.
  using CloseFrom = int (*)(posix_spawn_file_actions_t*, int);
  const auto close_from = reinterpret_cast<CloseFrom>(dlsym(RTLD_DEFAULT, "posix_spawn_file_actions_addclosefrom_np"));
  if (close_from != nullptr && close_from(&actions, kFirstForeign) == 0) return;
  close_each(actions);
}

std::vector<char*> environment() {
  std::vector<char*> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, text.find('='));
    if (name != "JAVA_TOOL_OPTIONS" && name != "JDK_JAVA_OPTIONS" && name != "_JAVA_OPTIONS")
      variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

}  // namespace

pid_t start_shell_command(const std::string& command, const std::string& argument) {
  Attributes attributes;
  Actions actions;
  set_signals_and_group(attributes.of);
  set_descriptors(actions.of);
  std::string shell = "/bin/sh", option = "-c", script = command + " \"$@\"", name = "sh", path = argument;
  char* const arguments[] = {shell.data(), option.data(), script.data(), name.data(), path.data(), nullptr};
  pid_t process = -1;
  const int why = posix_spawn(&process, shell.c_str(), &actions.of, &attributes.of, arguments, environment().data());
  errno = why;
  return why == 0 ? process : -1;
}

std::optional<int> end_of_shell_command(pid_t process) {
  int status = 0;
  const pid_t ended = waitpid(process, &status, WNOHANG);
  if (ended == process) return status;
  if (ended < 0 && errno == ECHILD) return kEndUnknown;
  return std::nullopt;
}

void kill_shell_command(pid_t process) { kill(-process, SIGKILL); }

}  // namespace rec
