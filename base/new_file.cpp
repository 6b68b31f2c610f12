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

// A device, a pipe, or a link to one. A directory is in the way of any file by itself.
bool is_no_plain_file(const Place& place) {
  struct stat st {};
  return fstatat(place.directory.fd(), place.name.c_str(), &st, 0) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

bool goes_over(const Place& place, NewFile::Replaces replaces) {
  return (replaces == NewFile::Replaces::kAnything && !is_no_plain_file(place)) ||
         (replaces == NewFile::Replaces::kEmpty && is_empty_file(place));
}

}  // namespace

bool rename_to(int from_directory, const std::string& from, int directory, const std::string& to, bool over) {
  if (renameat2(from_directory, from.c_str(), directory, to.c_str(), over ? 0 : RENAME_NOREPLACE) == 0) return true;
  // Else a file system that cannot refuse, or a kernel before 3.15: a link does.
  if (errno != EINVAL && errno != ENOSYS) return false;
  return linkat(from_directory, from.c_str(), directory, to.c_str(), 0) == 0 &&
         unlinkat(from_directory, from.c_str(), 0) == 0;
}

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
  const int directory = place_.directory.fd();
  if (!rename_to(directory, temporary_, directory, place_.name, goes_over(place_, replaces))) {
    if (errno != EEXIST) return system_error("cannot make", place_.path);
    return Error{ErrorCode::kUsage, 0, place_.path + " is there already, and is not written over"};
  }
  temporary_.clear();
  return Done{};
}

Result<std::string> NewFile::commit_beside(Replaces replaces) {
  assert(!temporary_.empty() && "a file is committed once");
  Result<std::string> path = rename_beside(place_.directory.fd(), temporary_, place_, replaces);
  if (path) temporary_.clear();
  return path;
}

std::string numbered(const std::string& path, unsigned number) {
  const size_t dot = path.rfind('.'), slash = path.rfind('/');
  const size_t start = slash == std::string::npos ? 0 : slash + 1;
  const size_t end = dot == std::string::npos || dot <= start ? path.size() : dot;
  return path.substr(0, end) + "-" + std::to_string(number) + path.substr(end);
}

Result<std::string> rename_beside(int from_directory, const std::string& from, const Place& to,
                                  NewFile::Replaces replaces) {
  const int directory = to.directory.fd();
  if (rename_to(from_directory, from, directory, to.name, goes_over(to, replaces))) return to.path;
  for (unsigned number = 2; errno == EEXIST && number <= kMostNumbers; ++number)
    if (rename_to(from_directory, from, directory, numbered(to.name, number), false)) return numbered(to.path, number);
  if (errno != EEXIST) return system_error("cannot make", to.path);
  return Error{ErrorCode::kLimit, 0, to.path + " and " + std::to_string(kMostNumbers) + " names beside it are taken"};
}

void sync_directory(const Place& place) {
  const Descriptor directory(openat(place.directory.fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory) (void)fsync(directory.fd());
}

}  // namespace base
