// SPDX-License-Identifier: Apache-2.0
#include "base/kept_descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/file_io.h"
#include "base/open_files.h"

namespace base {

KeptDescriptor::KeptDescriptor(int fd) {
  const int why = errno;
  if (fd >= 0) hold(fd);
  errno = why;
}

KeptDescriptor::KeptDescriptor(KeptDescriptor&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), mark_(other.mark_) {}

KeptDescriptor& KeptDescriptor::operator=(KeptDescriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(mark_, other.mark_);
  return *this;
}

void KeptDescriptor::hold(int fd) {
  fd_ = fd;
  mark_ = FileMark::of(fd_);
  OpenFiles::add(fd_, mark_);
}

void KeptDescriptor::forget() {
  OpenFiles::remove(fd_);
  fd_ = -1;
}

bool KeptDescriptor::open_again(const std::string& path, int flags) {
  forget();
  const int fd = restarting([&] { return ::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); });
  if (fd < 0) return false;
  if (!mark_.is_of(fd)) {
    ::close(fd);
    errno = ESTALE;
    return false;
  }
  hold(fd);
  return true;
}

void KeptDescriptor::reset() {
  if (fd_ < 0) return;
  const bool own = is_own();
  const int fd = fd_;
  forget();
  if (own) ::close(fd);
}

}  // namespace base
