// SPDX-License-Identifier: Apache-2.0
#include "jrec/open/silent_process.h"

#include <fmt/core.h>

#include <charconv>
#include <system_error>

#include "jrec/view/live_recording.h"

namespace jrec {

std::optional<std::string> why_silent(const std::string& target) {
  pid_t pid = 0;
  const char* const end = target.data() + target.size();
  const auto [stop, wrong] = std::from_chars(target.data(), end, pid);
  if (wrong != std::errc() || stop != end || pid <= 0 || LiveRecording().find(target)) return std::nullopt;
  return silence_of(read_process(pid));
}

std::string silence_of(const std::optional<JvmProcess>& process) {
  if (!process) return "is neither a file nor a process that runs";
  if (process->records)
    return fmt::format("is a JVM that has no recording open now; jrec dump {} writes one", process->pid);
  if (process->is_jvm()) return fmt::format("is a JVM that does not record; jrec start {} begins that", process->pid);
  if (process->maps_readable || !process->has_memory)
    return "is a process that does not record, and no JVM: it has no libjvm.so mapped";
  return fmt::format("is a process of user {}, and whether it records only that user and root may see", process->euid);
}

}  // namespace jrec
