// SPDX-License-Identifier: Apache-2.0
#include "base/private_directory.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace base {

namespace {

constexpr int kMaxLinks = 40;  // as the kernel

Error refused(const std::string& why) { return Error{ErrorCode::kUsage, 0, why}; }

bool is_trusted(uid_t owner) { return owner == 0 || owner == geteuid(); }

// Follows a path one component at a time.
class PathWalk {
 public:
  explicit PathWalk(const std::string& path) : path_(path) { push(path); }

  Result<Descriptor> walk() {
    if (!at_) return system_error("cannot open", path_);
    while (!ahead_.empty()) {
      const std::string name = std::move(ahead_.back());
      ahead_.pop_back();
      if (Status stepped = step(name); !stepped) return stepped.error();
    }
    return std::move(at_);
  }

 private:
  // Its components are the next to be followed.
  void push(const std::string& path) {
    if (path[0] == '/' || !at_) at_ = Descriptor(open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    for (size_t end = path.size(), slash; end != std::string::npos; end = slash) {
      slash = end == 0 ? std::string::npos : path.rfind('/', end - 1);
      const size_t start = slash == std::string::npos ? 0 : slash + 1;
      if (start < end) ahead_.push_back(path.substr(start, end - start));
    }
  }

  Status step(const std::string& name) {
    Descriptor next = open_here(name);
    if (!next && errno == ENOENT) {
      if (Status made = make(name); !made) return made;
      next = open_here(name);
    }
    if (!next) return system_error("cannot open", path_);
    struct stat st {};
    if (fstat(next.fd(), &st) != 0) return system_error("cannot open", path_);
    if (S_ISLNK(st.st_mode)) return follow(name, next, st.st_uid);
    errno = ENOTDIR;
    if (!S_ISDIR(st.st_mode)) return system_error("cannot open", path_);
    at_ = std::move(next);
    return Done{};
  }

  Descriptor open_here(const std::string& name) const {
    return Descriptor(openat(at_.fd(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  }

  Status make(const std::string& name) const {
    if (Status safe = check_directory(at_.fd(), path_); !safe) return safe;
    if (mkdirat(at_.fd(), name.c_str(), 0700) == 0) {
      if (fchmodat(at_.fd(), name.c_str(), 0700, 0) == 0) return Done{};
    } else if (errno == EEXIST) {
      return Done{};  // made by somebody else just now; the step looks at it
    }
    return system_error("cannot make the directory", path_);
  }

  Status follow(const std::string& name, const Descriptor& link, uid_t owner) {
    if (!is_trusted(owner))
      return refused(name + " in the path " + path_ + " is a symbolic link of user " + std::to_string(owner) +
                     ", which is not followed");
    char target[PATH_MAX];
    const ssize_t size = readlinkat(link.fd(), "", target, sizeof target);
    errno = ELOOP;
    if (size <= 0 || ++links_ > kMaxLinks) return system_error("cannot open", path_);
    push(std::string(target, static_cast<size_t>(size)));
    return Done{};
  }

  const std::string& path_;
  Descriptor at_;
  std::vector<std::string> ahead_;  // the next one last
  int links_ = 0;
};

// Nothing else tells whether a file can be made.
Status try_to_write(const Place& place) {
  Result<Place> temporary = temporary_beside(place);
  if (!temporary) return temporary.error();
  Result<Descriptor> made = make_private_file(*temporary);
  if (!made) return made.error();
  unlinkat(temporary->directory.fd(), temporary->name.c_str(), 0);
  return Done{};
}

Result<Place> usable_place(const std::string& filename) {
  Result<Place> place = open_place(filename);
  if (!place) return place;
  if (Status plain = check_plain(*place); !plain) return plain.error();
  if (Status writable = try_to_write(*place); !writable) return writable.error();
  return place;
}

// In a sticky directory only its owner may move a file away.
Status check_replaceable(const Place& place) {
  struct stat file {
  }, directory{};
  if (fstatat(place.directory.fd(), place.name.c_str(), &file, AT_SYMLINK_NOFOLLOW) != 0) return Done{};
  if (fstat(place.directory.fd(), &directory) != 0) return system_error("cannot look at", place.path);
  const uid_t us = geteuid();
  const bool sticky = (directory.st_mode & S_ISVTX) != 0;
  if (!sticky || us == 0 || file.st_uid == us || directory.st_uid == us) return Done{};
  return refused(place.path + " belongs to user " + std::to_string(file.st_uid) + " and cannot be replaced");
}

}  // namespace

Status check_directory(int directory, const std::string& path) {
  struct stat st {};
  if (fstat(directory, &st) != 0) return system_error("cannot use the directory of", path);
  if (!is_trusted(st.st_uid))
    return refused("the directory of " + path + " belongs to user " + std::to_string(st.st_uid) +
                   ", who could exchange what is written there");
  const bool others = (st.st_mode & S_IWOTH) != 0 || ((st.st_mode & S_IWGRP) != 0 && st.st_gid != getegid());
  // Root's, and open to all: volumes of containers are mounted so.
  if (!others || (st.st_mode & S_ISVTX) != 0 || st.st_uid == 0) return Done{};
  return refused("the directory of " + path +
                 " can be written to by other users, who could exchange what is written there (chmod +t, or go-w, "
                 "prevents that)");
}

Result<Place> open_place(const std::string& path) {
  const size_t slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (name.empty() || name == "." || name == "..") return refused("\"" + path + "\" names no file");
  const std::string parent = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  Result<Descriptor> directory = PathWalk(parent).walk();
  if (!directory) return directory.error();
  if (Status safe = check_directory(directory->fd(), path); !safe) return safe.error();
  return Place{std::move(*directory), std::move(name), path};
}

Result<Descriptor> make_private_directory(const Place& place) {
  const int parent = place.directory.fd();
  const char* name = place.name.c_str();
  if (mkdirat(parent, name, 0700) != 0) return system_error("cannot make the directory", place.path);
  // The umask may have taken our own rights. The name is ours and cannot be exchanged, since the parent is safe.
  Descriptor made;
  if (fchmodat(parent, name, 0700, 0) == 0)
    made = Descriptor(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (made) return made;
  const Error error = system_error("cannot use the directory", place.path);
  unlinkat(parent, name, AT_REMOVEDIR);
  return error;
}

Status make_private_directory(const std::string& path) {
  Result<Place> place = open_place(path);
  if (!place) return place.error();
  Result<Descriptor> made = make_private_directory(*place);
  if (!made) return made.error();
  return Done{};
}

Result<Descriptor> make_private_file(const Place& place) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Descriptor file(openat(place.directory.fd(), place.name.c_str(), kFlags, 0600));
  if (!file) return system_error("cannot make", place.path);
  if (fchmod(file.fd(), 0600) == 0) return file;
  const Error error = system_error("cannot make", place.path);
  unlinkat(place.directory.fd(), place.name.c_str(), 0);
  return error;
}

Result<Place> temporary_beside(const Place& place) {
  Result<std::string> digits = random_digits();
  if (!digits) return digits.error();
  Descriptor directory(fcntl(place.directory.fd(), F_DUPFD_CLOEXEC, 0));
  if (!directory) return system_error("cannot make", place.path);
  return Place{std::move(directory), "." + place.name + "." + *digits + ".tmp", place.path};
}

Status check_plain(const Place& place) {
  struct stat st {};
  if (fstatat(place.directory.fd(), place.name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? Status(Done{}) : system_error("cannot look at", place.path);
  if (S_ISLNK(st.st_mode)) return refused(place.path + " is a symbolic link, which is not followed");
  if (S_ISDIR(st.st_mode)) return refused(place.path + " is a directory");
  if (!S_ISREG(st.st_mode)) return refused(place.path + " is not a plain file");
  return Done{};
}

Status check_recording_place(const std::string& filename) {
  Result<Place> place = usable_place(filename);
  if (!place) return place.error();
  return Done{};
}

Status check_recording_name(const std::string& filename) {
  Result<Place> place = usable_place(filename);
  if (!place) return place.error();
  return check_replaceable(*place);
}

Result<std::string> random_digits() {
  uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random) return system_error("no random number", "from the system");
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016" PRIx64, random);
  return std::string(digits);
}

}  // namespace base
