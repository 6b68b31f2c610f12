// SPDX-License-Identifier: Apache-2.0
#include "recorder/assemble.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "recorder/system_error.h"

namespace rec {
namespace {

constexpr off_t kFlagsOffset = 66;                       // of a chunk's header
constexpr uint8_t kCompressedAndFinal[] = {0x00, 0x03};  // big-endian: compressed integers, final chunk

class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  explicit operator bool() const { return fd_ >= 0; }
  int fd() const { return fd_; }

 private:
  int fd_;
};

std::string temporary_name(const std::string& filename) {
  uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random) random = static_cast<uint64_t>(getpid());
  const size_t slash = filename.find_last_of('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  char suffix[32];
  std::snprintf(suffix, sizeof suffix, ".%016" PRIx64 ".tmp", random);
  return filename.substr(0, name) + '.' + filename.substr(name) + suffix;
}

bool write_all(int to, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t n = write(to, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

// From the file offset of `from` to its end, without copy_file_range, which not every pair of file systems knows.
bool copy_by_hand(int from, int to) {
  constexpr size_t kPiece = 256u << 10;
  const std::unique_ptr<char[]> piece(new char[kPiece]);
  for (;;) {
    const ssize_t n = read(from, piece.get(), kPiece);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    if (!write_all(to, piece.get(), static_cast<size_t>(n))) return false;
  }
}

bool copy_to_end(int from, int to) {
  for (;;) {
    const ssize_t n = copy_file_range(from, nullptr, to, nullptr, size_t{1} << 30, 0);
    if (n > 0) continue;
    // 0 is the end, or a file system that cannot; both offsets stand where the last whole step ended.
    return copy_by_hand(from, to);
  }
}

Status copy_chunks(const std::vector<std::string>& chunks, int to, const std::string& filename) {
  off_t last_start = 0;
  for (const std::string& chunk : chunks) {
    last_start = lseek(to, 0, SEEK_CUR);
    const File from(open(chunk.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!from) return system_error("cannot read the chunk", chunk);
    if (!copy_to_end(from.fd(), to)) return system_error("cannot write", filename);
  }
  const bool marked = pwrite(to, kCompressedAndFinal, sizeof kCompressedAndFinal, last_start + kFlagsOffset) ==
                      sizeof kCompressedAndFinal;
  if (!marked || fdatasync(to) != 0) return system_error("cannot write", filename);
  return jfr::Done{};
}

Status write_temporary(const std::vector<std::string>& chunks, const std::string& temporary,
                       const std::string& filename) {
  const File to(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!to) return system_error("cannot make", filename);
  Status status = copy_chunks(chunks, to.fd(), filename);
  if (status && rename(temporary.c_str(), filename.c_str()) != 0) status = system_error("cannot make", filename);
  if (!status) unlink(temporary.c_str());
  return status;
}

}  // namespace

Status assemble(const std::vector<std::string>& chunks, const std::string& filename) {
  if (chunks.empty()) return jfr::Error{jfr::ErrorCode::kUsage, 0, "there is no chunk to make " + filename + " of"};
  return write_temporary(chunks, temporary_name(filename), filename);
}

bool move_chunk(const std::string& chunk, const std::string& filename) {
  return rename(chunk.c_str(), filename.c_str()) == 0;
}

}  // namespace rec
