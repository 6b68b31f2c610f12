// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/open_archive.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <vector>

#include "base/descriptor.h"
#include "base/file_io.h"
#include "base/nearest.h"
#include "jrec/base/local_path.h"
#include "jrec/input/remote_recording.h"

namespace jrec {

using base::Error;
using base::ErrorCode;
using base::Result;
using jfr::archive::Catalogue;
using jfr::read::Problems;

namespace {

bool somebody_adds(const std::string& path) {
  if (is_remote(path)) return false;
  const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file && ::flock(file.fd(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace

Result<std::unique_ptr<OpenArchive>> OpenArchive::at(const std::string& path) {
  if (is_remote(path)) {
    auto file = FetchedFile::open(path);
    if (!file) return file.error();
    return std::unique_ptr<OpenArchive>(new OpenArchive(path, std::move(*file)));
  }
  if (const base::Status local = check_local(path); !local) return local.error();
  const State state = state_of(path);
  auto file = jfr::read::MappedFile::open(path);
  if (!file) return file.error();
  file->read_at_random();
  return std::unique_ptr<OpenArchive>(new OpenArchive(path, state, std::move(*file)));
}

Result<std::unique_ptr<OpenArchive>> OpenArchive::read(const std::string& path, Problems& problems) {
  auto archive = at(path);
  if (!archive) return archive.error();
  auto catalogue = Catalogue::read((*archive)->bytes_, problems);
  if (const auto failure = (*archive)->failure()) return *failure;
  if (!catalogue) return catalogue.error();
  (*archive)->catalogue_ = std::move(*catalogue);
  return archive;
}

OpenArchive::State OpenArchive::state_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {status.st_ino, static_cast<uint64_t>(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

bool OpenArchive::changed() const { return !is_remote(path_) && (somebody_adds(path_) || state_of(path_) != state_); }

std::optional<Error> OpenArchive::failure() const { return fetched_ ? fetched_->failure() : std::nullopt; }

Result<std::unique_ptr<OpenArchive>> OpenArchive::open(const std::string& path, Problems& problems) {
  // Who added while the file was mapped may be done when that is asked: then the second look sees it whole.
  for (const bool again : {false, true}) {
    Problems met;
    auto archive = read(path, met);
    if (!archive) return archive;
    const bool whole = archive.value()->catalogue_.tail != Catalogue::Tail::kUnknown;
    const bool adding = !whole && somebody_adds(path);
    if (!whole && !adding && !again && !is_remote(path)) continue;
    if (!adding) problems.add(met);
    return archive;
  }
  return Error{ErrorCode::kUsage, 0, "cannot be opened"};
}

std::optional<Error> OpenArchive::advice() const {
  const auto mended = bytes_.mended_blocks();
  if (failure()) return std::nullopt;
  const std::string how = "; jrec archive repair mends the file: " + path_;
  if (!mended.empty())
    return Error{ErrorCode::kCorrupt, *mended.begin(),
                 fmt::format("{} damaged block{} mended in what was read, nothing is lost", mended.size(),
                             mended.size() == 1 ? "" : "s") +
                     how};
  if (catalogue_.tail == Catalogue::Tail::kDamaged)
    return Error{ErrorCode::kCorrupt, catalogue_.committed, "its parity is damaged, and nothing is lost by that" + how};
  return std::nullopt;
}

Error no_such_member(const Catalogue& catalogue, const std::string& asked) {
  if (catalogue.members.empty())
    return Error{ErrorCode::kUsage, 0,
                 catalogue.tail == Catalogue::Tail::kUnknown
                     ? "has no complete commit, and so no member; jrec archive repair -o NEW takes those that are whole"
                     : "holds no member"};
  std::vector<std::string> names;
  for (const jfr::archive::Member& member : catalogue.members) names.push_back(member.name);
  const std::string near = base::nearest(asked, names);
  return Error{ErrorCode::kUsage, 0, "holds no member " + asked + (near.empty() ? "" : "; did you mean " + near + "?")};
}

bool holds_archive(int fd) {
  std::array<uint8_t, jfr::archive::kArchiveHeadBytes> first{};
  std::array<uint8_t, jfr::archive::kEndTail> last{};
  struct stat status {};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < static_cast<off_t>(first.size()))
    return false;
  if (base::read_all_at(fd, first.data(), first.size(), 0) && jfr::archive::is_archive(std::span<const uint8_t>(first)))
    return true;
  const auto size = static_cast<uint64_t>(status.st_size);
  return size >= last.size() && base::read_all_at(fd, last.data(), last.size(), size - last.size()) &&
         jfr::archive::is_archive_tail(last);
}

bool holds_archive(const std::string& path) {
  if (is_remote(path)) return names_archive(path);
  const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return file && holds_archive(file.fd());
}

}  // namespace jrec
