// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/pager.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "jrec/base/columns.h"
#include "jrec/base/interrupt.h"

namespace jrec {
namespace {

constexpr const char* kUsualPager = "less";
constexpr char kEscape = '\x1b';

bool is_found(const std::string& program) {
  if (program.find('/') != std::string::npos) return ::access(program.c_str(), X_OK) == 0;
  std::string places = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "/usr/bin:/bin";
  places += ':';
  for (size_t from = 0, to; (to = places.find(':', from)) != std::string::npos; from = to + 1)
    if (to != from && ::access((places.substr(from, to - from) + '/' + program).c_str(), X_OK) == 0) return true;
  return false;
}

// Empty: none.
std::string wanted_pager() {
  std::string wanted = kUsualPager;
  for (const char* name : {"PAGER", "JREC_PAGER"})
    if (const char* said = std::getenv(name)) wanted = said;
  const bool there = !wanted.empty() && wanted != "cat" && is_found(wanted.substr(0, wanted.find(' ')));
  return there ? wanted : "";
}

// -1: it cannot be started.
pid_t spawn(const std::string& command, int input) {
  ::setenv("LESS", "FRX", 0);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  const char* const words[] = {"sh", "-c", command.c_str(), nullptr};
  pid_t child = -1;
  if (::posix_spawn(&child, "/bin/sh", &actions, nullptr, const_cast<char**>(words), environ) != 0) child = -1;
  ::posix_spawn_file_actions_destroy(&actions);
  return child;
}

// Behind "ESC [ ... letter", which the terminal does not show.
size_t behind_colour(std::string_view text, size_t at) {
  for (++at; at < text.size(); ++at)
    if ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= 'A' && text[at] <= 'Z')) return at + 1;
  return at;
}

}  // namespace

bool Pager::start() {
  const std::string command = wanted_pager();
  int ends[2];
  if (command.empty() || ::pipe2(ends, O_CLOEXEC) != 0) return false;
  child_ = spawn(command, ends[0]);
  ::close(ends[0]);
  if (child_ < 0) {
    ::close(ends[1]);
    return false;
  }
  fd_ = ends[1];
  leave_interrupts_to_others();
  return true;
}

void Pager::wait() {
  if (fd_ < 0) return;
  ::close(fd_);
  fd_ = -1;
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

size_t lines_taken(std::string_view text, size_t columns) {
  size_t lines = 0, column = 0;
  for (size_t at = 0; at < text.size();) {
    const char unit = text[at];
    if (unit == kEscape) {
      at = behind_colour(text, at);
      continue;
    }
    ++at;
    if (unit == '\n') {
      ++lines;
      column = 0;
    } else if (begins_character(unit) && ++column > columns) {
      ++lines;
      column = 1;
    }
  }
  return lines + (column != 0 ? 1 : 0);
}

}  // namespace jrec
