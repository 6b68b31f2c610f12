// SPDX-License-Identifier: Apache-2.0
#include "format/reader/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/descriptor.h"
#include "base/file_io.h"
#include "format/reader/chunk_header.h"
#include "format/reader/open_chunk.h"

namespace jfr::read {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using base::system_error;

namespace {

constexpr uint64_t kPage = 4096;

// It grew between the look at its size and the one at its header, as a JDK's chunk does.
bool lags_behind(std::span<const uint8_t> file, int fd) {
  const base::Result<ChunkHeader> header = parse_chunk_header(file, 0);
  struct stat now;
  return header && header->size > file.size() && ::fstat(fd, &now) == 0 &&
         static_cast<uint64_t>(now.st_size) >= header->size;
}

// Its header is another one by now: what was read behind the header may be, too.
bool has_moved_on(std::span<const uint8_t> file, int fd) {
  std::array<uint8_t, kHeaderSize> now;
  return file.size() >= now.size() && base::read_all_at(fd, now.data(), now.size(), 0) &&
         !std::equal(now.begin(), now.end(), file.begin());
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  if (path == "-") return of(STDIN_FILENO);
  const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return system_error("cannot open");
  return of(file.fd());
}

Result<MappedFile> MappedFile::of(int fd) {
  struct stat status;
  if (::fstat(fd, &status) != 0) return system_error("cannot stat");
  if (S_ISDIR(status.st_mode)) return Error{ErrorCode::kUsage, 0, "is a directory"};

  MappedFile file;
  const auto size = static_cast<size_t>(status.st_size);
  const bool regular = S_ISREG(status.st_mode);
  if (!regular || size <= kReadWholeSize) {
    const Status read = file.read_all(fd, regular, regular ? size : kMaxPipeSize);
    if (!read) return read.error();
    return regular ? settled(std::move(file), fd) : Result<MappedFile>(std::move(file));
  }
  file.mapping_ = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (file.mapping_ == MAP_FAILED) {
    file.mapping_ = nullptr;
    return system_error("cannot map");
  }
  ::madvise(file.mapping_, size, MADV_SEQUENTIAL);
  file.bytes_ = {static_cast<const uint8_t*>(file.mapping_), size};
  return settled(std::move(file), fd);
}

Result<MappedFile> MappedFile::settled(MappedFile&& file, int fd) {
  if (lags_behind(file.bytes_, fd)) return of(fd);
  if (!is_open_chunk(file.bytes_) && !has_moved_on(file.bytes_, fd)) return std::move(file);
  Result<std::vector<uint8_t>> copy = copy_at_rest(fd, file.bytes_.size());
  if (!copy) return copy.error();
  MappedFile at_rest;
  at_rest.copy_ = std::move(*copy);
  at_rest.bytes_ = at_rest.copy_;
  return at_rest;
}

// A file from its beginning, wherever its descriptor stands; a pipe from where it is.
Status MappedFile::read_all(int fd, bool file, size_t limit) {
  size_t used = 0;
  while (used < limit) {
    copy_.resize(used + std::min(limit - used, std::max<size_t>(kReadWholeSize, used)));
    const size_t room = copy_.size() - used;
    uint8_t* const to = copy_.data() + used;
    const ssize_t got = file ? base::read_some_at(fd, to, room, used) : base::read_some(fd, to, room);
    if (got < 0) return system_error("cannot read");
    if (got == 0) break;
    used += static_cast<size_t>(got);
  }
  copy_.resize(used);
  bytes_ = copy_;
  return Done{};
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(other.bytes_), copy_(std::move(other.copy_)), mapping_(std::exchange(other.mapping_, nullptr)) {
  if (mapping_ == nullptr) bytes_ = copy_;
}

void MappedFile::read_at_random() const {
  if (mapping_ != nullptr) ::madvise(mapping_, bytes_.size(), MADV_RANDOM);
}

void will_need(std::span<const uint8_t> bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data()), from = begin / kPage * kPage;
  if (!bytes.empty()) ::madvise(reinterpret_cast<void*>(from), begin - from + bytes.size(), MADV_WILLNEED);
}

void MappedFile::let_go(uint64_t offset, uint64_t size) const {
  if (mapping_ == nullptr || offset >= bytes_.size()) return;
  const uint64_t from = (offset + kPage - 1) / kPage * kPage;
  const uint64_t to = (offset + std::min<uint64_t>(size, bytes_.size() - offset)) / kPage * kPage;
  // Private and never written to: the kernel reads them from the file again.
  if (from < to) ::madvise(static_cast<uint8_t*>(mapping_) + from, to - from, MADV_DONTNEED);
}

MappedFile::~MappedFile() {
  if (mapping_ != nullptr) ::munmap(mapping_, bytes_.size());
}

}  // namespace jfr::read
