// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/thread_dumps.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "agent/options/filename.h"
#include "agent/threads/dump_json.h"
#include "agent/threads/dump_text.h"
#include "base/file_io.h"

namespace rec::agent {
namespace {

constexpr const char* kDefaultName = "rec-threads-%p-%t.txt";

// Empty, or what went wrong.
std::string write_new(const std::string& path, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return "cannot make " + path + ": " + std::strerror(errno);
  const bool written = base::write_all(fd, text.data(), text.size());
  const std::string why = written ? "" : "cannot write " + path + ": " + std::strerror(errno);
  close(fd);
  if (!why.empty()) unlink(path.c_str());
  return why;
}

std::string summary(const ThreadDump& dump) {
  size_t java = 0;
  for (const DumpedThread& thread : dump.threads) java += thread.is_java;
  std::string text = std::to_string(java) + " Java threads, " + std::to_string(dump.threads.size() - java) + " others";
  if (dump.unanswered != 0) text += ", " + std::to_string(dump.unanswered) + " without their stacks";
  if (!dump.deadlocks.empty()) text += ", " + std::to_string(dump.deadlocks.size()) + " deadlocks";
  return text;
}

}  // namespace

Answer ThreadDumps::write(JNIEnv* jni, const Options& options) {
  const std::string pattern = options.filename_given ? options.filename : kDefaultName;
  const std::string path = absolute_path(expand_filename(pattern, this_process()));
  return with_dump(jni, options.thread_detail, [&](const ThreadDump& dump) {
    Answer answer;
    answer.error = write_new(path, options.threads_as_json ? dump_json(dump) : dump_text(dump));
    answer.note = "wrote " + summary(dump) + " to " + path;
    return answer;
  });
}

}  // namespace rec::agent
