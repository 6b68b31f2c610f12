// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/target_root.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/small_file.h"

namespace jrec {
namespace {

constexpr int kDirectory = O_PATH | O_DIRECTORY | O_CLOEXEC;

bool same_inode(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

bool same_view(pid_t pid, int root) {
  const std::string mounts = base::read_link(fmt::format("/proc/{}/ns/mnt", pid));
  struct stat theirs;
  struct stat ours;
  return !mounts.empty() && mounts == base::read_link("/proc/self/ns/mnt") && ::fstat(root, &theirs) == 0 &&
         ::stat("/", &ours) == 0 && same_inode(theirs, ours);
}

base::Error cannot_open(pid_t pid, const char* what, int error) {
  const char* hint = error == EACCES || error == EPERM ? "; run jrec as the user of the JVM, or as root" : "";
  return {base::ErrorCode::kSystem, 0,
          fmt::format("cannot look into {} of {}: {}{}", what, pid, std::strerror(error), hint), error};
}

}  // namespace

base::Result<TargetRoot> TargetRoot::open(const JvmProcess& process) {
  TargetRoot target;
  target.root_ = base::Descriptor(::open(fmt::format("/proc/{}/root", process.pid).c_str(), kDirectory));
  if (!target.root_) return cannot_open(process.pid, "the file tree", errno);
  target.ours_ = same_view(process.pid, target.root());
  // A link /tmp of our own tree is ours to trust. In another one an absolute link would lead back into ours.
  target.tmp_ = base::Descriptor(::openat(target.root(), "tmp", kDirectory | (target.ours_ ? 0 : O_NOFOLLOW)));
  if (!target.tmp_) return cannot_open(process.pid, "/tmp", errno);
  return target;
}

bool TargetRoot::has_same_file(const std::string& path) const {
  if (ours_) return true;
  struct stat theirs;
  struct stat ours;
  const size_t name = path.find_first_not_of('/');
  return name != std::string::npos && ::stat(path.c_str(), &ours) == 0 &&
         ::fstatat(root(), path.c_str() + name, &theirs, 0) == 0 && same_inode(theirs, ours);
}

std::string random_name(const std::string& prefix) {
  uint64_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != sizeof bits) return "";
  return fmt::format("{}{:016x}", prefix, bits);
}

bool give_to(const JvmProcess& process, int fd) {
  return ::geteuid() != 0 || ::fchown(fd, process.euid, process.egid) == 0;
}

}  // namespace jrec
