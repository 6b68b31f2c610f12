// SPDX-License-Identifier: Apache-2.0
#include "agent/options/log.h"

#include <unistd.h>

#include <atomic>

namespace rec::agent {
namespace {

std::atomic<LogLevel> log_level{LogLevel::kWarn};

}  // namespace

void set_log_level(LogLevel level) { log_level.store(level, std::memory_order_relaxed); }

void say(LogLevel level, std::string_view line) {
  if (level <= log_level.load(std::memory_order_relaxed)) say_always(line);
}

void say_always(std::string_view line) {
  std::string text;
  if (line.substr(0, 5) != "rec: ") text = "rec: ";
  text.append(line);
  text.push_back('\n');
  // One write, so that lines of several threads do not mix. If stderr is gone there is nobody to tell.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

void say_from_recorder(const char* line) { say(LogLevel::kWarn, line); }

}  // namespace rec::agent
