// SPDX-License-Identifier: Apache-2.0
#include "format/archive/archive_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/file_io.h"
#include "format/archive/piece_walk.h"

namespace jfr::archive {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using base::system_error;

namespace {

constexpr int kMemberLevel = 19;
constexpr size_t kMostBases = 4;

bool write_at(int fd, std::span<const uint8_t> bytes, uint64_t at) {
  return base::write_all_at(fd, bytes.data(), bytes.size(), at);
}

void add_base(std::vector<MetadataBase>& bases, MetadataBase base) {
  if (bases.size() == kMostBases) bases.erase(bases.begin());
  bases.push_back(std::move(base));
}

// The file that was opened is still the one of that name: whoever prunes an archive puts another one in its place.
bool still_there(int fd, const std::string& path) {
  struct stat opened {
  }, named{};
  return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

Result<Catalogue> catalogue_of(int fd) {
  auto mapped = read::MappedFile::of(fd);
  if (!mapped) return mapped.error();
  read::Problems problems;
  return Catalogue::read(mapped->bytes(), problems);
}

}  // namespace

Result<ArchiveWriter> ArchiveWriter::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return system_error("cannot open");
  ArchiveWriter writer(fd, {});
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0)
    return Error{ErrorCode::kUsage, 0, "another process is writing to it", EWOULDBLOCK};
  if (!still_there(fd, path)) return Error{ErrorCode::kUsage, 0, "another process has just replaced it", EWOULDBLOCK};
  struct stat status {};
  if (::fstat(fd, &status) != 0) return system_error("cannot stat");
  if (status.st_size == 0) {
    if (!write_at(fd, kArchiveHead, 0)) return system_error("cannot write");
  } else {
    auto catalogue = catalogue_of(fd);
    if (!catalogue) {
      ::close(std::exchange(writer.fd_, -1));  // not ours to shorten
      return catalogue.error();
    }
    writer.catalogue_ = std::move(catalogue.value());
  }
  writer.at_ = writer.catalogue_.committed;
  writer.added_.members = writer.catalogue_.members_without_end;
  for (const auto& metadata : writer.catalogue_.metadata_without_end)
    if (metadata.second < writer.at_) writer.added_.metadata.push_back(metadata);
  if (static_cast<uint64_t>(status.st_size) > writer.at_ && ::ftruncate(fd, static_cast<off_t>(writer.at_)) != 0)
    return system_error("cannot shorten");
  return writer;
}

Result<ArchiveWriter> ArchiveWriter::make(int fd) {
  ArchiveWriter writer(::fcntl(fd, F_DUPFD_CLOEXEC, 0), {});
  if (writer.fd_ < 0 || !write_at(writer.fd_, kArchiveHead, 0)) return system_error("cannot write");
  writer.at_ = writer.catalogue_.committed;
  return writer;
}

ArchiveWriter::ArchiveWriter(ArchiveWriter&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      catalogue_(std::move(other.catalogue_)),
      at_(other.at_),
      added_(std::move(other.added_)),
      bases_(std::move(other.bases_)) {}

ArchiveWriter::~ArchiveWriter() {
  if (fd_ < 0) return;
  if (at_ > catalogue_.committed && ::ftruncate(fd_, static_cast<off_t>(catalogue_.committed)) != 0) {
    // The next writer does it.
  }
  ::close(fd_);
}

Result<uint64_t> ArchiveWriter::add_piece(std::span<const uint8_t> piece) {
  assert(at_ >= kArchiveHead.size() && piece.size() >= kPieceHeadBytes &&
         "a piece has a head, and follows the archive's");
  if (!write_at(fd_, piece, at_)) return system_error("cannot write");
  at_ += piece.size();
  return at_ - piece.size();
}

Result<uint64_t> ArchiveWriter::add_metadata(std::span<const uint8_t> content) {
  const uint64_t hash = hash_of(content);
  if (const auto known = catalogue_.metadata.find(hash); known != catalogue_.metadata.end()) return known->second;
  if (!bases_) find_bases();
  const std::vector<uint8_t> piece = make_metadata_piece(content, at_, *bases_);
  auto at = add_piece(piece);
  if (!at) return at.error();
  if (read_head(piece)->coding != PieceCoding::kPatch)
    add_base(*bases_, {at.value(), {content.begin(), content.end()}});
  catalogue_.metadata[hash] = at.value();
  added_.metadata.emplace_back(hash, at.value());
  return at;
}

void ArchiveWriter::find_bases() {
  bases_.emplace();
  const auto mapped = map();
  if (!mapped) return;
  std::vector<uint64_t> places;
  for (const auto& [hash, at] : catalogue_.metadata) {
    const auto piece = piece_at(mapped->bytes(), at);
    if (piece && piece->head.coding != PieceCoding::kPatch) places.push_back(at);
  }
  std::ranges::sort(places);
  if (places.size() > kMostBases) places.erase(places.begin(), places.end() - kMostBases);
  for (const uint64_t at : places)
    if (auto content = read_metadata_piece(mapped->bytes(), at)) bases_->push_back({at, std::move(*content)});
}

Status ArchiveWriter::add_member(const Member& member) {
  const auto at = add_piece(make_piece(PieceKind::kMember, write_member(member), kMemberLevel));
  if (!at) return at.error();
  added_.members.push_back(at.value());
  catalogue_.members.push_back(member);
  return Done{};
}

Status ArchiveWriter::commit() {
  if (added_.members.empty()) return Done{};
  if (::fdatasync(fd_) != 0) return system_error("cannot write");  // the pieces are there before the END says so
  assert(catalogue_.last_end < at_ && "an END leads back");
  added_.previous = catalogue_.last_end;
  const std::vector<uint8_t> content = write_end(added_, at_);
  const auto end = add_piece(make_piece(PieceKind::kEnd, PieceCoding::kStored, content, content.size()));
  if (!end) return end.error();
  if (::fdatasync(fd_) != 0) return system_error("cannot write");
  catalogue_.last_end = end.value();
  catalogue_.committed = at_;
  added_ = {};
  return Done{};
}

}  // namespace jfr::archive
