// SPDX-License-Identifier: Apache-2.0
#include "recover/recover_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <memory>

#include "base/file_io.h"
#include "base/result.h"

namespace rec {
namespace {

using base::Done;
using base::Error;
using base::ErrorCode;

constexpr size_t kPieceBytes = 256u << 10;

base::Descriptor open_directory(const std::string& path) {
  return base::Descriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

}  // namespace

base::Descriptor open_to_read(const std::string& path) {
  base::Descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat st {};
  if (file && (fstat(file.fd(), &st) != 0 || !S_ISREG(st.st_mode))) {
    errno = EINVAL;
    return {};
  }
  return file;
}

Result<base::Descriptor> lock_dead_directory(const std::string& path) {
  base::Descriptor directory = open_directory(path);
  if (!directory) return base::system_error("cannot open the directory", path);
  if (flock(directory.fd(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return Error{ErrorCode::kUsage, 0, path + " belongs to a process that lives"};
    return base::system_error("cannot lock the directory", path);
  }
  struct stat ours {
  }, there{};
  const bool still_there = fstat(directory.fd(), &ours) == 0 && lstat(path.c_str(), &there) == 0 &&
                           ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
  if (still_there) return directory;
  errno = ENOENT;
  return base::system_error("cannot open the directory", path);
}

std::vector<std::string> names_in(const std::string& directory, size_t at_most) {
  std::vector<std::string> names;
  DIR* dir = opendir(directory.c_str());
  if (!dir) return names;
  while (const dirent* entry = readdir(dir)) {
    const std::string name = entry->d_name;
    if (name != "." && name != ".." && names.size() < at_most) names.push_back(name);
  }
  closedir(dir);
  std::sort(names.begin(), names.end());
  return names;
}

std::string parent_of(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_of(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  return stat(a.c_str(), &first) == 0 && stat(b.c_str(), &second) == 0 && first.st_ino == second.st_ino &&
         first.st_dev == second.st_dev;
}

bool is_directory(const std::string& path) {
  struct stat st {};
  return lstat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

Result<RecoveredFile> RecoveredFile::create(const std::string& target) {
  Result<base::NewFile> file = base::NewFile::make(target);
  if (!file) return file.error();
  return RecoveredFile(std::move(*file));
}

Status RecoveredFile::put(uint64_t at, std::span<const uint8_t> bytes) {
  assert(at <= size_ && "what is recovered has no holes");
  if (!base::write_all_at(file_.fd(), bytes.data(), bytes.size(), at))
    return base::system_error("cannot write", path());
  return Done{};
}

Status RecoveredFile::add(std::span<const uint8_t> bytes) {
  Status status = put(size_, bytes);
  if (status) size_ += bytes.size();
  return status;
}

Status RecoveredFile::add(int from, uint64_t offset, uint64_t size) {
  const auto piece = std::make_unique<uint8_t[]>(std::min<uint64_t>(size, kPieceBytes));
  while (size > 0) {
    const auto step = static_cast<size_t>(std::min<uint64_t>(size, kPieceBytes));
    if (!base::read_all_at(from, piece.get(), step, offset))
      return base::system_error("cannot read what is to go into", path());
    if (Status added = add({piece.get(), step}); !added) return added;
    offset += step;
    size -= step;
  }
  return Done{};
}

Status RecoveredFile::commit(Replaces replaces) {
  if (Status synced = file_.sync(); !synced) return synced;
  if (Status committed = file_.commit(replaces); !committed) return committed;
  base::sync_directory(file_.place());  // the name is to last before what it was made of goes
  return Done{};
}

}  // namespace rec
