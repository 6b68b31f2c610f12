// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/private_directory.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/file_io.h"
#include "base/new_file.h"
#include "base/private_directory.h"
#include "base/small_file.h"
#include "jrec/base/output_file.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;

Error failed(const std::string& what) {
  return {ErrorCode::kSystem, 0, fmt::format("{}: {}", what, std::strerror(errno)), errno};
}

// At most `size` bytes: a file that grows for ever ends where it was when we looked.
bool copy(int from, int to, uint64_t size) {
  std::vector<char> piece(1u << 20);
  while (size > 0) {
    const ssize_t n = base::read_some(from, piece.data(), std::min<uint64_t>(piece.size(), size));
    if (n < 0) return false;
    if (n == 0) return true;
    if (!base::write_all(to, piece.data(), static_cast<size_t>(n))) return false;
    size -= static_cast<uint64_t>(n);
  }
  return true;
}

}  // namespace

base::Result<PrivateDirectory> PrivateDirectory::make(const JvmProcess& process, const TargetRoot& root,
                                                      std::string file) {
  const char* const what = "cannot make a directory in its /tmp";
  PrivateDirectory made;
  const std::string name = random_name("rec-");
  made.tmp_ = base::Descriptor(::openat(root.tmp(), ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!made.tmp_ || name.empty() || ::mkdirat(made.tmp_.fd(), name.c_str(), 0700) != 0) return failed(what);
  made.name_ = name;
  made.file_ = std::move(file);
  made.in_the_making_ = std::make_unique<InTheMaking>(path_in(made.tmp_.fd(), name));
  const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  made.directory_ = base::Descriptor(::openat(made.tmp_.fd(), name.c_str(), flags));
  const int fd = made.directory_.fd();
  if (fd >= 0) made.file_in_the_making_ = std::make_unique<InTheMaking>(path_in(fd, made.file_));
  if (fd < 0 || ::fchmod(fd, 0700) != 0 || !give_to(process, fd)) return failed(what);
  return made;
}

void PrivateDirectory::keep() {
  name_kept_ = true;
  file_in_the_making_.reset();
  in_the_making_.reset();
}

PrivateDirectory::~PrivateDirectory() {
  if (!tmp_ || name_.empty() || name_kept_) return;
  if (directory_) ::unlinkat(directory_.fd(), file_.c_str(), 0);
  ::unlinkat(tmp_.fd(), name_.c_str(), AT_REMOVEDIR);
}

base::Status PrivateDirectory::put(const JvmProcess& process, const std::string& from) const {
  const std::string what = fmt::format("cannot copy {} to its {}", from, path());
  const base::Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status;
  if (!source || ::fstat(source.fd(), &status) != 0) return failed(what);
  const int flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC;
  const base::Descriptor target(::openat(directory_.fd(), file_.c_str(), flags, 0700));
  if (!target || !copy(source.fd(), target.fd(), static_cast<uint64_t>(status.st_size))) return failed(what);
  if (::fchmod(target.fd(), 0500) != 0 || !give_to(process, target.fd())) return failed(what);
  return base::Done{};
}

base::Result<base::Descriptor> PrivateDirectory::open_written(const JvmProcess& process, uint64_t& size) const {
  const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  base::Descriptor source(::openat(directory_.fd(), file_.c_str(), flags));
  struct stat status;
  if (!source || ::fstat(source.fd(), &status) != 0) return failed(fmt::format("cannot fetch its {}", path()));
  if (!S_ISREG(status.st_mode) || status.st_nlink != 1 || status.st_uid != process.euid)
    return Error{ErrorCode::kUsage, 0, fmt::format("its {} is not the file that the agent was told to write", path())};
  size = static_cast<uint64_t>(status.st_size);
  return source;
}

base::Status PrivateDirectory::fetch(const JvmProcess& process, const std::string& to) const {
  uint64_t size = 0;
  base::Result<base::Descriptor> source = open_written(process, size);
  if (!source) return source.error();
  OutputFile file(to);
  if (file.fd() >= 0 && copy(source->fd(), file.fd(), size) && file.commit()) return base::Done{};
  return Error{ErrorCode::kSystem, 0, fmt::format("{}: cannot write: {}", to, output_error_text(errno)), errno};
}

base::Result<std::string> PrivateDirectory::fetch_beside(const JvmProcess& process, const std::string& to) const {
  uint64_t size = 0;
  const base::Result<base::Descriptor> source = open_written(process, size);
  if (!source) return source.error();
  base::Result<base::NewFile> file = base::NewFile::make(to);
  if (!file) return file.error();
  if (!copy(source->fd(), file->fd(), size)) return failed(fmt::format("{}: cannot write", to));
  if (const base::Status plain = base::check_plain(file->place()); !plain) return plain.error();
  return file->commit_beside(base::NewFile::Replaces::kEmpty);
}

base::Result<std::string> PrivateDirectory::read(const JvmProcess& process) const {
  uint64_t size = 0;
  base::Result<base::Descriptor> source = open_written(process, size);
  if (!source) return source.error();
  if (size > kLongestText) return Error{ErrorCode::kLimit, 0, fmt::format("its {} is too long", path())};
  std::optional<std::string> text = base::read_rest(source->fd(), size);
  if (!text) return failed(fmt::format("cannot read its {}", path()));
  return std::move(*text);
}

}  // namespace jrec
