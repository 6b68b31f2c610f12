// SPDX-License-Identifier: Apache-2.0
#include "base/new_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <utility>

namespace base {
namespace {

// The directory as it is, unchecked.
Result<Place> place_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string parent = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  Descriptor directory(open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return system_error("cannot make", path);
  return Place{std::move(directory), path.substr(slash + 1), path};  // npos + 1 is 0
}

bool is_empty_file(const Place& place) {
  struct stat st {};
  return fstatat(place.directory.fd(), place.name.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
         st.st_size == 0;
}

bool rename_in(int directory, const std::string& from, const std::string& to, bool over) {
  if (renameat2(directory, from.c_str(), directory, to.c_str(), over ? 0 : RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL) return false;  // else a file system that cannot refuse: a link does
  return linkat(directory, from.c_str(), directory, to.c_str(), 0) == 0 && unlinkat(directory, from.c_str(), 0) == 0;
}

}  // namespace

NewFile::NewFile(Place place, std::string temporary, Descriptor file)
    : place_(std::move(place)), temporary_(std::move(temporary)), file_(std::move(file)) {}

NewFile::NewFile(NewFile&& other) noexcept
    : place_(std::move(other.place_)), temporary_(std::exchange(other.temporary_, {})), file_(std::move(other.file_)) {}

NewFile::~NewFile() {
  if (!temporary_.empty()) unlinkat(place_.directory.fd(), temporary_.c_str(), 0);
}

Result<NewFile> NewFile::make(const std::string& path) {
  Result<Place> place = place_of(path);
  if (!place) return place.error();
  return make(std::move(*place));
}

Result<NewFile> NewFile::make(Place place) {
  Result<Place> temporary = temporary_beside(place);
  if (!temporary) return temporary.error();
  Result<Descriptor> file = make_private_file(*temporary);
  if (!file) return file.error();
  return NewFile(std::move(place), std::move(temporary->name), std::move(*file));
}

std::string NewFile::temporary_path() const {
  return place_.path.substr(0, place_.path.size() - place_.name.size()) + temporary_;
}

Status NewFile::sync() const {
  if (fdatasync(file_.fd()) != 0) return system_error("cannot write", place_.path);
  return Done{};
}

Status NewFile::commit(Replaces replaces) {
  assert(!temporary_.empty() && "a file is committed once");
  const bool over = replaces == Replaces::kAnything || (replaces == Replaces::kEmpty && is_empty_file(place_));
  if (!rename_in(place_.directory.fd(), temporary_, place_.name, over)) {
    if (errno != EEXIST) return system_error("cannot make", place_.path);
    return Error{ErrorCode::kUsage, 0, place_.path + " is there already, and is not written over"};
  }
  temporary_.clear();
  return Done{};
}

void sync_directory(const Place& place) {
  const Descriptor directory(openat(place.directory.fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory) (void)fsync(directory.fd());
}

}  // namespace base
