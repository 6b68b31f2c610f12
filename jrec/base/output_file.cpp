// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/file_io.h"
#include "base/units.h"
#include "jrec/base/inputs.h"
#include "jrec/base/local_path.h"

namespace jrec {
namespace {

// Beside it; a long name is cut, so that the system takes this one where it takes that.
std::string temporary_of(const std::string& path) {
  constexpr std::string_view kEnding = ".XXXXXX";
  const size_t name = path.rfind('/') + 1;  // npos + 1: it has no directory
  return path.substr(0, name) + path.substr(name, NAME_MAX - kEnding.size()) + std::string(kEnding);
}

std::string folder_of(const std::string& path) {
  const size_t name = path.rfind('/') + 1;
  return name == 0 ? "./" : path.substr(0, name);
}

std::string path_of(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

// In a directory where all may make files and links, as /tmp, those of others say nothing of what is meant: so does the
// kernel judge where a file is opened (proc_sys_fs(5), protected_symlinks and protected_regular).
bool is_trusted(const std::string& path) {
  struct stat own, folder;
  if (::lstat(path.c_str(), &own) != 0 || ::stat(folder_of(path).c_str(), &folder) != 0) return false;
  constexpr mode_t kShared = S_ISVTX | S_IWOTH;
  return (folder.st_mode & kShared) != kShared || own.st_uid == ::geteuid() || own.st_uid == folder.st_uid;
}

// What a path means that leads over links: a file, or a descriptor of ours, as /dev/stdout does.
struct Target {
  std::string path;
  std::optional<int> descriptor;
};
Target target_of(const std::string& path) {
  constexpr int kMostLinks = 40;  // the system's
  std::string at = path;
  for (int links = 0; links < kMostLinks; ++links) {
    for (const std::string_view folder : {"/proc/self/fd/", "/proc/thread-self/fd/", "/dev/fd/"})
      if (const auto number = at.starts_with(folder) ? base::parse_count(at.substr(folder.size())) : std::nullopt)
        return {path, static_cast<int>(*number)};
    char link[PATH_MAX];
    const ssize_t size = is_trusted(at) ? ::readlink(at.c_str(), link, sizeof link) : 0;
    if (size <= 0) return {at, std::nullopt};
    const std::string to(link, static_cast<size_t>(size));
    at = to.front() == '/' ? to : folder_of(at) + to;
  }
  return {path, std::nullopt};
}

// Of what it replaces: whoever could read or write that can do so with this.
void keep_rights(int fd, const struct stat& of) {
  [[maybe_unused]] const int owned = ::fchown(fd, of.st_uid, of.st_gid);  // root alone may
  ::fchmod(fd, of.st_mode & 0777);
}

// A file that goes with its descriptor, and may get a name (open(2), O_TMPFILE). -1: not in this directory.
int open_nameless(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0 || ::access(path_of(fd).c_str(), F_OK) == 0) return fd;
  ::close(fd);
  return -1;
}

bool give_name(int nameless, const std::string& path) {
  return ::linkat(AT_FDCWD, path_of(nameless).c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

}  // namespace

std::string output_error_text(int errno_value) {
  return errno_value == kIsAnInput ? kInputIsKept : std::strerror(errno_value);
}

bool copy_all(int from, int to) {
  constexpr size_t kAtOnce = 256 * 1024;
  std::vector<uint8_t> bytes(kAtOnce);
  for (uint64_t at = 0;;) {
    const ssize_t count = base::read_some_at(from, bytes.data(), bytes.size(), at);
    if (count <= 0) return count == 0;
    if (!base::write_all(to, bytes.data(), static_cast<size_t>(count))) return false;
    at += static_cast<uint64_t>(count);
  }
}

OutputFile::OutputFile(const std::string& path) {
  if (!check_local(path)) {
    errno = EPROTONOSUPPORT;
    return;
  }
  Target target = target_of(path);
  path_ = std::move(target.path);
  struct stat status;
  const bool special = ::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  if (target.descriptor)
    fd_ = ::fcntl(*target.descriptor, F_DUPFD_CLOEXEC, 0);
  else if (special)  // /dev/null, a pipe: there is nothing to replace
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  else
    make_file();
}

void OutputFile::make_file() {
  is_new_ = true;
  fd_ = open_nameless(folder_of(path_));
  if (fd_ < 0) fd_ = make_named();
}

// A name beside it. -1: there can be none.
int OutputFile::make_named() {
  std::string name = temporary_of(path_);
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) return -1;
  in_the_making_.emplace(name);
  temporary_ = std::move(name);
  return fd;
}

bool OutputFile::commit() {
  if (!is_new_) return true;
  struct stat status;
  const bool replaces = ::stat(path_.c_str(), &status) == 0;
  if (replaces && is_input(status)) return errno = kIsAnInput, false;
  if (replaces && is_trusted(path_)) keep_rights(fd_, status);
  if (temporary_.empty() && !replaces && give_name(fd_, path_)) return true;
  if (temporary_.empty() && !name_it()) return false;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return false;
  in_the_making_.reset();
  temporary_.clear();
  return true;
}

// A second name, as what stands at the path cannot be replaced by what has none. Where none can be given, the file is
// copied.
bool OutputFile::name_it() {
  const base::Descriptor other(make_named());
  if (!other) return false;
  if (::unlink(temporary_.c_str()) == 0 && give_name(fd_, temporary_)) return true;
  const base::Descriptor copy(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  struct stat status;
  if (!copy || !copy_all(fd_, copy.fd()) || ::fstat(fd_, &status) != 0) return false;
  keep_rights(copy.fd(), status);
  return true;
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

}  // namespace jrec
