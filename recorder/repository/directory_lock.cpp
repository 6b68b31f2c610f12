// SPDX-License-Identifier: Apache-2.0
#include "recorder/repository/directory_lock.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/descriptor.h"
#include "base/result.h"

namespace rec {

using base::Done;
using base::Error;
using base::Place;
using base::Status;

namespace {

constexpr int kTries = 16;  // each one lost means that another process did something in between

enum class Lock { kTaken, kBusy, kUnknown };  // kUnknown: this file system has no locks

Lock try_lock(int directory) {
  if (flock(directory, LOCK_EX | LOCK_NB) == 0) return Lock::kTaken;
  return errno == EWOULDBLOCK || errno == EINTR ? Lock::kBusy : Lock::kUnknown;
}

// Whether a name still means what is open.
bool names(int directory, const char* name, int open) {
  struct stat named {
  }, opened{};
  return fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(open, &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

Error refused(const std::string& path, const char* why) {
  return Error{base::ErrorCode::kUsage, 0, "the repository " + path + " " + why};
}

// What lies at the name must be a directory of ours, or nothing is done about it.
Status check_what_is_there(const Place& place) {
  struct stat st {};
  if (fstatat(place.directory.fd(), place.name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return Done{};
    return base::system_error("cannot look at", place.path);
  }
  if (S_ISLNK(st.st_mode)) return refused(place.path, "is a symbolic link, which is not followed");
  if (!S_ISDIR(st.st_mode)) return refused(place.path, "is not a directory");
  if (st.st_uid != geteuid())
    return refused(place.path, ("belongs to user " + std::to_string(st.st_uid) + ", not to this one").c_str());
  return Done{};
}

// True: the name is free now. False: its owner lives.
Result<bool> move_aside(const Place& place) {
  const int parent = place.directory.fd();
  const char* name = place.name.c_str();
  const base::Descriptor old(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!old && errno == ENOENT) return true;
  if (!old) return base::system_error("cannot use the repository", place.path);
  if (try_lock(old.fd()) != Lock::kTaken) return false;
  if (!names(parent, name, old.fd()) || unlinkat(parent, name, AT_REMOVEDIR) == 0) return true;
  Result<std::string> digits = base::random_digits();
  if (!digits) return digits.error();
  if (renameat2(parent, name, parent, (place.name + ".dead-" + *digits).c_str(), RENAME_NOREPLACE) == 0) return true;
  // Some file systems know no flags. The name is random, so nothing can be there.
  if (renameat(parent, name, parent, (place.name + ".dead-" + *digits).c_str()) == 0) return true;
  return base::system_error("cannot move aside what a dead process left,", place.path);
}

}  // namespace

DirectoryLock::DirectoryLock(base::KeptDescriptor directory, std::string path)
    : directory_(std::move(directory)), path_(std::move(path)) {}

DirectoryLock& DirectoryLock::operator=(DirectoryLock&& other) noexcept {
  release();
  directory_ = std::move(other.directory_);
  path_ = std::move(other.path_);
  return *this;
}

void DirectoryLock::release() { directory_.reset(); }

bool DirectoryLock::holds() const { return directory_.is_own() && directory_.is_at(path_); }

void DirectoryLock::hold() {
  if (path_.empty() || directory_.is_own()) return;
  if (directory_.open_again(path_, O_RDONLY | O_DIRECTORY) && try_lock(directory_.fd()) == Lock::kBusy) release();
}

// Between making and locking, another process may have taken it for a leftover and removed it.
bool DirectoryLock::is_new_and_ours(const Place& place) const {
  return try_lock(directory_.fd()) != Lock::kBusy && names(place.directory.fd(), place.name.c_str(), directory_.fd());
}

Result<DirectoryLock> DirectoryLock::take(const std::string& wished) {
  Result<Place> place = base::open_place(wished);
  if (!place) return place.error();
  const std::string name = place->name;
  for (int i = 0; i < kTries; ++i) {
    if (Result<base::Descriptor> made = base::make_private_directory(*place)) {
      DirectoryLock lock(base::KeptDescriptor(made->release()), place->path);
      if (lock.is_new_and_ours(*place)) return lock;
      continue;
    } else if (made.error().errno_value != EEXIST) {
      return made.error();
    }
    if (Status usable = check_what_is_there(*place); !usable) return usable.error();
    Result<bool> freed = move_aside(*place);
    if (!freed) return freed.error();
    if (*freed) continue;
    Result<std::string> digits = base::random_digits();
    if (!digits) return digits.error();
    place->name = name + "-" + *digits;
    place->path = wished + "-" + *digits;
  }
  return refused(wished, "is made and removed by others all the time");
}

}  // namespace rec
