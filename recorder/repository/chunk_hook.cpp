// SPDX-License-Identifier: Apache-2.0
#include "recorder/repository/chunk_hook.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>

#include "base/clock.h"
#include "base/result.h"
#include "recorder/repository/shell_command.h"

namespace rec {
namespace {

constexpr int64_t kFinishPollNs = 5'000'000;

// The command may change its directory.
std::string absolute(const std::string& path) {
  if (path.empty() || path[0] == '/') return path;
  char* const here = getcwd(nullptr, 0);
  std::string whole = here == nullptr ? path : std::string(here) + '/' + path;
  free(here);
  return whole;
}

std::string count_of(size_t chunks) { return std::to_string(chunks) + (chunks == 1 ? " chunk" : " chunks"); }

}  // namespace

ChunkHook::ChunkHook(std::string command, void (*log)(const char* line), int64_t limit_ns)
    : command_(std::move(command)), limit_ns_(limit_ns), complaints_(log) {}

void ChunkHook::chunk_finished(const std::string& path) {
  if (command_.empty()) return;
  if (waiting_.size() == kHookQueueLength) {
    complaints_.say("queue", "onchunk is too slow: " + std::to_string(kHookQueueLength) +
                                 " chunks wait for it; the oldest are left out, first " + waiting_.front());
    waiting_.pop_front();
  }
  waiting_.push_back(path);
  poll();
}

void ChunkHook::poll() {
  std::erase_if(running_, [this](Run& run) { return !still_runs(run); });
  start_waiting();
}

bool ChunkHook::still_runs(Run& run) {
  if (const std::optional<int> end = end_of_shell_command(run.process)) {
    if (!run.killed) say_end(run, *end);
    return false;
  }
  if (run.killed || base::now_ticks() - run.start_ticks < limit_ns_) return true;
  kill_shell_command(run.process);
  run.killed = true;
  complaints_.say("time", "onchunk took over " + std::to_string(limit_ns_ / 1'000'000'000) +
                              " s and was killed, first with " + run.path);
  return true;
}

void ChunkHook::say_end(const Run& run, int status) {
  if (status == kEndUnknown) return say_taken(run);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const std::string how = WIFSIGNALED(status) ? "was ended by signal " + std::to_string(WTERMSIG(status))
                                              : "failed with exit code " + std::to_string(WEXITSTATUS(status));
  const bool missing = WIFEXITED(status) && WEXITSTATUS(status) == 127;
  complaints_.say(how, "onchunk " + how + (missing ? ", there is no such command" : "") +
                           (taken_ == 0 ? "; first with " : "; first known with ") + run.path);
}

void ChunkHook::say_taken(const Run& run) {
  ++taken_;
  complaints_.say("taken",
                  "the application takes the exit status of onchunk's commands (it waits for any child, or ignores "
                  "SIGCHLD), and whether they fail is not known; first with " +
                      run.path);
}

void ChunkHook::start_waiting() {
  assert(running_.size() <= kHooksAtATime && waiting_.size() <= kHookQueueLength && "the hook's limits hold");
  while (!waiting_.empty() && running_.size() < kHooksAtATime) {
    const std::string path = std::move(waiting_.front());
    waiting_.pop_front();
    const bool removed = access(path.c_str(), F_OK) != 0 && errno == ENOENT;
    if (!removed) start(path);
  }
}

void ChunkHook::start(const std::string& path) {
  const pid_t process = start_shell_command(command_, absolute(path));
  if (process >= 0) return running_.push_back({process, path, base::now_ticks(), false});
  const base::Error error = base::system_error("cannot run onchunk for", path);
  complaints_.say("start " + std::to_string(error.errno_value), error.what);
}

bool ChunkHook::uses(const std::string& path) const {
  return std::find(waiting_.begin(), waiting_.end(), path) != waiting_.end() ||
         std::any_of(running_.begin(), running_.end(), [&](const Run& run) { return run.path == path; });
}

void ChunkHook::give_up(const std::string& path) {
  if (!uses(path)) return;
  std::erase(waiting_, path);
  complaints_.say("room",
                  "onchunk is too slow: the recording holds twice its maxsize, and chunks are removed before it "
                  "is done with them, first " +
                      path);
}

bool ChunkHook::finish(int64_t limit_ns) {
  const int64_t end = base::now_ticks() + limit_ns;
  for (poll(); !idle() && base::now_ticks() < end; poll()) {
    const timespec pause{0, kFinishPollNs};
    nanosleep(&pause, nullptr);
  }
  if (!idle())
    complaints_.say("finish", "onchunk is not done with " + count_of(waiting_.size() + running_.size()) +
                                  ", which are left where they are, first " +
                                  (running_.empty() ? waiting_.front() : running_.front().path));
  if (taken_ > 1)
    complaints_.say("taken in all",
                    "the application took the exit status of " + std::to_string(taken_) + " of onchunk's commands");
  return idle();
}

}  // namespace rec
