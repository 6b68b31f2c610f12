// SPDX-License-Identifier: Apache-2.0
#include "format/archive/archive_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

#include "base/file_io.h"
#include "format/archive/mending.h"

namespace jfr::archive {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using base::system_error;

namespace {

using Bytes = std::span<const uint8_t>;

constexpr int kMemberLevel = 19;
constexpr size_t kMostMetadataBases = 4;

bool write_at(int fd, Bytes bytes, uint64_t at) { return base::write_all_at(fd, bytes.data(), bytes.size(), at); }

void add_base(std::vector<MetadataBase>& bases, MetadataBase base) {
  if (bases.size() == kMostMetadataBases) bases.erase(bases.begin());
  bases.push_back(std::move(base));
}

EndTail tail_of_version(uint8_t version) {
  if (version >= kSeveralBasesVersion) return EndTail::kNow;
  return version >= kDeepVersion ? EndTail::kVersion5 : EndTail::kToVersion4;
}

// The zeros in front of it, too.
std::vector<uint8_t> with_fill(const Band& band, const std::vector<uint8_t>& parity) {
  std::vector<uint8_t> bytes(band.at - band.to);
  bytes.insert(bytes.end(), parity.begin(), parity.end());
  return bytes;
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
  if (const Status mended = writer.mend_last_band(); !mended) return mended.error();
  writer.at_ = writer.catalogue_.committed;
  writer.band_ = writer.catalogue_.band;
  writer.added_.members = writer.catalogue_.members_without_end;
  writer.added_.metadata = writer.catalogue_.metadata_without_end;
  writer.tail_lost_ = writer.catalogue_.tail != Catalogue::Tail::kWhole;
  // Only parity may say that these were committed, and it will be written over.
  if (const Status listed = writer.commit(); !listed) return listed.error();
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
      band_(other.band_),
      mended_blocks_(other.mended_blocks_),
      tail_lost_(other.tail_lost_),
      added_(std::move(other.added_)),
      bases_(std::move(other.bases_)) {}

ArchiveWriter::~ArchiveWriter() {
  if (fd_ < 0) return;
  at_ = catalogue_.committed;
  band_ = catalogue_.band;
  // Where no END leads to what was committed, nothing behind it is cut off: it may be what says so.
  const bool listed = catalogue_.last_end != 0 || at_ <= kArchiveHead.size();
  if (tail_lost_ && listed && !end_with_parity(catalogue_.last_end)) {
    // The next writer does it.
  }
  ::close(fd_);
}

// Its parity is made anew from what stands in the file, which must be what was written.
Status ArchiveWriter::mend_last_band() {
  const auto mapped = map();
  if (!mapped) return mapped.error();
  const auto band = band_of(mapped->bytes(), catalogue_.band, catalogue_.committed);
  if (!band || band->end == 0) return Done{};
  const auto mended = mend_band(fd_, mapped->bytes(), *band);
  if (!mended) return mended.error();
  mended_blocks_ = *mended;
  return Done{};
}

Status ArchiveWriter::append(Bytes bytes) {
  tail_lost_ = true;
  if (!write_at(fd_, bytes, at_)) return system_error("cannot write");
  at_ += bytes.size();
  return Done{};
}

Result<uint64_t> ArchiveWriter::add_piece(Bytes piece) {
  assert(at_ >= kArchiveHeadBytes && piece.size() >= kPieceHeadBytes &&
         "a piece has a head, and follows the archive's");
  const uint64_t at = at_;
  if (const Status written = append(piece); !written) return written.error();
  if (at_ - band_ >= kBandBytes)
    if (const Status closed = close_band(); !closed) return closed.error();
  return at;
}

Status ArchiveWriter::close_band() {
  const auto written = map();
  if (!written) return written.error();
  const Band band = band_to(at_, 0);
  if (const Status appended = append(with_fill(band, make_parity(written->bytes(), band))); !appended) return appended;
  band_ = at_;
  return Done{};
}

// What is in no closed band, up to there.
Band ArchiveWriter::band_to(uint64_t to, uint64_t end) const {
  return new_band(band_, to, end, block_sizes_of(catalogue_.version));
}

// The parity of what follows the last band, and the end of the file. Nothing that was committed moves for it.
Status ArchiveWriter::end_with_parity(uint64_t end) {
  uint64_t size = at_;
  if (end != 0) {
    const auto written = map();
    if (!written) return written.error();
    const Band band = band_to(at_, end);
    if (!write_at(fd_, with_fill(band, make_parity(written->bytes(), band)), at_)) return system_error("cannot write");
    size = band.piece_end;
  }
  if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) return system_error("cannot shorten");
  tail_lost_ = false;
  return Done{};
}

Result<uint64_t> ArchiveWriter::add_metadata(Bytes content, int level) {
  const uint64_t hash = hash_of(content);
  if (const auto known = catalogue_.metadata.find(hash); known != catalogue_.metadata.end()) return known->second;
  if (!bases_) find_bases();
  const std::vector<uint8_t> piece = make_metadata_piece(content, at_, *bases_, level, codings_of(catalogue_.version));
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
  const ArchiveBytes archive(mapped->bytes());
  std::vector<uint64_t> places;
  for (const auto& [hash, at] : catalogue_.metadata) {
    const auto piece = archive.piece(at);
    if (piece && piece->head.coding != PieceCoding::kPatch) places.push_back(at);
  }
  std::ranges::sort(places);
  if (places.size() > kMostMetadataBases) places.erase(places.begin(), places.end() - kMostMetadataBases);
  for (const uint64_t at : places)
    if (auto content = read_metadata_piece(archive, at)) bases_->push_back({at, std::move(*content)});
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
  assert(catalogue_.last_end < at_ && "an END leads back");
  added_.previous = catalogue_.last_end;
  const size_t alone = spans_left_alone(catalogue_.spans, added_.members.size());
  CommitSpan span = span_behind(alone);
  const auto table = add_table(span);
  if (!table) return table.error();
  added_.table = *table;
  added_.band = band_;
  const auto end = add_end();
  if (!end) return end.error();
  catalogue_.spans.resize(alone);
  catalogue_.spans.push_back(std::move(span));
  catalogue_.last_end = *end;
  catalogue_.committed = at_;
  catalogue_.band = band_;
  added_ = {};
  return Done{};
}

// Where it begins.
Result<uint64_t> ArchiveWriter::add_end() {
  const uint64_t at = at_;
  const std::vector<uint8_t> content = write_end(added_, at, tail_of_version(catalogue_.version));
  const std::vector<uint8_t> end = make_piece(PieceKind::kEnd, PieceCoding::kStored, content, content.size());
  if (const Status room = reserve(end.size()); !room) return room.error();
  if (::fdatasync(fd_) != 0) return system_error("cannot write");  // the pieces are there before the END says so
  if (const Status ended = append(end); !ended) return ended.error();
  if (const Status covered = end_with_parity(at); !covered) return covered.error();
  if (::fdatasync(fd_) != 0) return tail_lost_ = true, system_error("cannot write");
  return at;
}

// What is added now, and the commits before that are not left alone.
CommitSpan ArchiveWriter::span_behind(size_t alone) const {
  const auto& spans = catalogue_.spans;
  CommitSpan all{added_.previous, added_.members.size(), added_.metadata, false};
  if (alone < spans.size()) all.before = spans[alone].before;
  for (size_t i = alone; i < spans.size(); ++i) {
    all.members += spans[i].members;
    all.metadata.insert(all.metadata.end(), spans[i].metadata.begin(), spans[i].metadata.end());
  }
  return all;
}

// Where it begins; 0: there are too few members for one, or too many.
Result<uint64_t> ArchiveWriter::add_table(CommitSpan& span) {
  if (catalogue_.version < kTablesVersion || span.members < kFewestInTable) return uint64_t{0};
  const auto content = write_table(span, std::span(catalogue_.members).last(span.members), at_);
  if (content.size() > kMostTableBytes) return uint64_t{0};
  span.has_table = true;
  return add_piece(make_piece(PieceKind::kTable, content, kMemberLevel));
}

// What is written last should not be what finds the disk full.
Status ArchiveWriter::reserve(uint64_t end_size) {
  const uint64_t size = band_to(at_ + end_size, at_).piece_end;
  const int failed =
      base::restarting([&] { return ::fallocate(fd_, 0, static_cast<off_t>(at_), static_cast<off_t>(size - at_)); });
  return failed != 0 && errno == ENOSPC ? Status(system_error("cannot write")) : Status(Done{});
}

}  // namespace jfr::archive
