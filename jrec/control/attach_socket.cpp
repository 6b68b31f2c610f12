// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/attach_socket.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;

constexpr std::chrono::milliseconds kConnectPause{50};

Error failed(const char* what, int error) {
  return {ErrorCode::kSystem, 0, fmt::format("{}: {}", what, std::strerror(error)), error};
}

bool is_users_or_root(uid_t uid, const JvmProcess& process) { return uid == process.euid || uid == 0; }

base::Status check_file(const JvmProcess& process, const TargetRoot& root, const std::string& name) {
  struct stat status;
  if (::fstatat(root.tmp(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
    return failed("cannot look at its attach socket", errno);
  if (!S_ISSOCK(status.st_mode)) return Error{ErrorCode::kUsage, 0, fmt::format("/tmp/{} is no socket", name)};
  if (is_users_or_root(status.st_uid, process)) return base::Done{};
  return Error{ErrorCode::kUsage, 0,
               fmt::format("/tmp/{} belongs to user {}, the JVM to {}", name, status.st_uid, process.euid)};
}

// While it lives, root acts as the JVM's user and group. For anybody else it does nothing.
class BorrowedUser {
 public:
  explicit BorrowedUser(const JvmProcess& process) : gid_(::getegid()) {
    if (::geteuid() != 0 || process.euid == 0) return;
    if (::setegid(process.egid) != 0) return;
    changed_ = true;
    user_changed_ = ::seteuid(process.euid) == 0;
  }
  ~BorrowedUser() {
    const int error = errno;
    if (user_changed_ && ::seteuid(0) != 0) ::_exit(70);  // impossible; to go on as somebody else would be worse
    if (changed_ && ::setegid(gid_) != 0) ::_exit(70);
    errno = error;
  }
  BorrowedUser(const BorrowedUser&) = delete;
  BorrowedUser& operator=(const BorrowedUser&) = delete;

 private:
  gid_t gid_;
  bool changed_ = false;
  bool user_changed_ = false;
};

// Through the descriptor of the directory: a path through /proc/PID/root may be closed to the borrowed user.
sockaddr_un address_of(const TargetRoot& root, const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = fmt::format("/proc/self/fd/{}/{}", root.tmp(), name);
  std::memcpy(address.sun_path, path.data(), std::min(path.size(), sizeof address.sun_path - 1));
  return address;
}

// False when the deadline passed.
bool wait_until_ready(int fd, short events, const Deadline& limit) {
  pollfd ready{fd, events, 0};
  for (;;) {
    const int left_ms = limit.left_ms();
    const int n = ::poll(&ready, 1, left_ms);
    if (n > 0) return true;
    if (left_ms == 0) return false;
  }
}

Error too_late() { return {ErrorCode::kSystem, 0, "it did not answer in time", ETIMEDOUT}; }

}  // namespace

base::Status AttachSocket::connect(const JvmProcess& process, const TargetRoot& root, const std::string& name,
                                   const Deadline& limit) {
  if (base::Status good = check_file(process, root, name); !good.ok()) return good;
  socket_ = base::Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket_) return failed("cannot make a socket", errno);
  const sockaddr_un address = address_of(root, name);
  for (;;) {
    const BorrowedUser user(process);
    if (::connect(socket_.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) break;
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return failed("cannot connect to its attach socket", errno);
    if (limit.over()) return too_late();
    std::this_thread::sleep_for(kConnectPause);
  }
  return check_listener(process);
}

base::Status AttachSocket::check_listener(const JvmProcess& process) const {
  ucred listener{};
  socklen_t size = sizeof listener;
  if (::getsockopt(socket_.fd(), SOL_SOCKET, SO_PEERCRED, &listener, &size) != 0)
    return failed("cannot tell who listens at its attach socket", errno);
  if (listener.pid == process.pid && is_users_or_root(listener.uid, process)) return base::Done{};
  return Error{ErrorCode::kUsage, 0, fmt::format("process {} listens at its attach socket", listener.pid)};
}

base::Status AttachSocket::send(const std::string& bytes, const Deadline& limit) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::send(socket_.fd(), bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (n >= 0)
      done += static_cast<size_t>(n);
    else if (errno == EAGAIN && !wait_until_ready(socket_.fd(), POLLOUT, limit))
      return too_late();
    else if (errno != EAGAIN && errno != EINTR)
      return failed("cannot send it the command", errno);
  }
  return base::Done{};
}

base::Result<std::string> AttachSocket::receive(size_t most, const Deadline& limit) {
  std::string bytes;
  char piece[4096];
  for (;;) {
    if (!wait_until_ready(socket_.fd(), POLLIN, limit)) return too_late();
    const ssize_t n = ::recv(socket_.fd(), piece, sizeof piece, 0);
    if (n == 0 || (n < 0 && errno == ECONNRESET)) return bytes;
    if (n < 0 && errno != EAGAIN && errno != EINTR) return failed("cannot read its answer", errno);
    if (n > 0) bytes.append(piece, static_cast<size_t>(n));
    if (bytes.size() > most) return Error{ErrorCode::kLimit, 0, fmt::format("its answer has more than {} bytes", most)};
  }
}

}  // namespace jrec
