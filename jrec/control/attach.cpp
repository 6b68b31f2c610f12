// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/attach.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "jrec/base/interrupt.h"
#include "jrec/control/attach_socket.h"
#include "jrec/control/jvm_list.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;

constexpr std::chrono::milliseconds kFirstPause{10};
constexpr std::chrono::milliseconds kLongestPause{250};
constexpr std::chrono::milliseconds kStartLimit{2000};  // for a JVM to start so far that it handles SIGQUIT
constexpr double kLongestLook_s = 60;                   // from when a process was looked at until it is attached to
constexpr double kYoung_s = 3;                          // beyond this age nothing is expected to change

Error refusal(const std::string& what) { return {ErrorCode::kUsage, 0, what}; }

std::string socket_name(const JvmProcess& process) { return fmt::format(".java_pid{}", process.inner_pid); }

// One that is older than the process is that of a dead JVM with its number. JVMs remove such a file when they start, but
// for those that refuse to be attached to.
bool has_socket(const AttachTarget& target) {
  struct stat status;
  if (::fstatat(target.root.tmp(), socket_name(target.process).c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
    return false;
  const auto age_s = static_cast<double>(base::now_unix_ns() - base::to_ns(status.st_mtim)) / 1e9;
  return age_s < target.process.uptime_s + kLongestLook_s;
}

// The file that tells the JVM that this SIGQUIT means us. It goes when the object does.
class Trigger {
 public:
  explicit Trigger(const AttachTarget& target) : name_(fmt::format(".attach_pid{}", target.process.inner_pid)) {
    if (make(target, target.root.tmp())) return;
    const std::string cwd = fmt::format("/proc/{}/cwd", target.process.pid);
    cwd_ = base::Descriptor(::open(cwd.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (cwd_) make(target, cwd_.fd());
  }
  ~Trigger() {
    if (directory_ >= 0) ::unlinkat(directory_, name_.c_str(), 0);
  }
  Trigger(const Trigger&) = delete;
  Trigger& operator=(const Trigger&) = delete;

  bool there() const { return directory_ >= 0 || borrowed_; }

 private:
  bool make(const AttachTarget& target, int directory) {
    const int flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC;
    const base::Descriptor file(::openat(directory, name_.c_str(), flags, 0600));
    if (!file) return borrowed_ = errno == EEXIST && is_good(target, directory);
    directory_ = directory;
    in_the_making_.emplace(path_in(directory, name_));
    return give_to(target.process, file.fd());
  }

  // Another tool attaches at this moment, or died when it did: its file is as good as ours.
  bool is_good(const AttachTarget& target, int directory) const {
    struct stat status;
    return ::fstatat(directory, name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode) &&
           (status.st_uid == target.process.euid || status.st_uid == 0);
  }

  std::string name_;
  base::Descriptor cwd_;
  int directory_ = -1;  // where it was made by us
  bool borrowed_ = false;
  std::optional<InTheMaking> in_the_making_;
};

// Why SIGQUIT must not be sent; empty when it may.
std::string quit_is_harmful(const JvmProcess& process) {
  if (!process.is_jvm()) return "it has no libjvm.so mapped: it is no JVM";
  if (process.stopped()) return "it is stopped; continue it first (kill -CONT)";
  if (process.refuses_attach)
    return "it was started with -XX:+DisableAttachMechanism; start it with -agentpath instead";
  if (!process.catches_quit)
    return "it does not handle SIGQUIT, which would kill it (started with -Xrs, or still starting); start it with "
           "-agentpath instead";
  return "";
}

std::string silence(pid_t pid, const char* doing) {
  if (!is_alive(pid)) return fmt::format("it ended while {}", doing);
  const auto now = read_process(pid);
  if (now && now->stopped()) return fmt::format("it is stopped, and did not answer while {}", doing);
  return fmt::format("it did not answer in time while {}", doing);
}

// A JVM that starts at this moment is given the time for it.
JvmProcess grown_up(const AttachTarget& target) {
  JvmProcess now = target.process;
  if (now.uptime_s > kYoung_s) return now;
  for (const Deadline limit(kStartLimit); !now.catches_quit && !limit.over() && !has_socket(target);) {
    std::this_thread::sleep_for(kFirstPause);
    const auto later = read_process(now.pid);
    if (!later) break;
    now = describe(*later).process;
  }
  return now;
}

// A JVM of an ordinary user cannot remove a file of somebody else's from /tmp, and is deaf for good.
std::string in_its_way(const AttachTarget& target) {
  struct stat status;
  const std::string name = socket_name(target.process);
  const bool is_there = ::fstatat(target.root.tmp(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  if (!is_there || has_socket(target)) return "";
  return fmt::format("; /tmp/{} of an older process, which belongs to user {}, is in its way: remove it", name,
                     status.st_uid);
}

base::Status wait_for_socket(const AttachTarget& target, const Deadline& limit) {
  for (auto pause = kFirstPause; !has_socket(target); pause = std::min(pause * 2, kLongestPause)) {
    if (limit.over() || !is_alive(target.process.pid))
      return refusal(silence(target.process.pid, "it was asked to open its attach socket") + in_its_way(target));
    std::this_thread::sleep_for(pause);
  }
  return base::Done{};
}

std::string request_of(const std::string& command, const std::array<std::string, 3>& arguments) {
  std::string request("1\0", 2);
  request.append(command).push_back('\0');
  for (const std::string& argument : arguments) request.append(argument).push_back('\0');
  return request;
}

}  // namespace

base::Status wake_attach_listener(const AttachTarget& target, const Deadline& limit) {
  if (has_socket(target)) return base::Done{};
  const JvmProcess now = grown_up(target);
  if (has_socket(target)) return base::Done{};
  if (const std::string why = quit_is_harmful(now); !why.empty()) return refusal(why);
  const Trigger trigger(target);
  if (!trigger.there())
    return refusal(
        fmt::format("cannot make the trigger file in its /tmp or working directory: {}", std::strerror(errno)));
  if (!target.quit.send()) return refusal(fmt::format("cannot send it SIGQUIT: {}", std::strerror(errno)));
  return wait_for_socket(target, limit);
}

base::Result<AttachReply> attach_command(const AttachTarget& target, const std::string& command,
                                         const std::array<std::string, 3>& arguments, const Deadline& limit) {
  for (const std::string& argument : arguments) {
    if (argument.size() <= kLongestAttachArgument) continue;
    return refusal(fmt::format("the attach protocol takes at most {} bytes of options or path, these are {}",
                               kLongestAttachArgument, argument.size()));
  }
  if (target.process.stopped()) return refusal("it is stopped; continue it first (kill -CONT)");
  AttachSocket socket;
  if (base::Status done = socket.connect(target.process, target.root, socket_name(target.process), limit); !done.ok())
    return done.error();
  if (base::Status done = socket.send(request_of(command, arguments), limit); !done.ok()) return done.error();
  base::Result<std::string> bytes = socket.receive(kLongestAttachReply, limit);
  if (!bytes)
    return bytes.error().errno_value == ETIMEDOUT ? refusal(silence(target.process.pid, "it ran the command"))
                                                  : bytes.error();
  if (bytes->empty())
    return refusal(target.quit.ended_within(kLastBreath)
                       ? "it ended while it ran the command"
                       : "it closed the connection without a word (it takes only its own user and group, and root)");
  const auto reply = parse_attach_reply(*bytes);
  if (!reply) return refusal("its answer makes no sense: it does not begin with a status");
  return *reply;
}

}  // namespace jrec
