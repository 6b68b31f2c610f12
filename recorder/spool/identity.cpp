// SPDX-License-Identifier: Apache-2.0
#include "recorder/spool/identity.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "base/crc32c.h"
#include "base/descriptor.h"
#include "base/file_io.h"
#include "base/small_file.h"

namespace rec {
namespace {

constexpr std::string_view kHead = "rec repository ";
constexpr size_t kFileBytes = kHead.size() + kIdentityDigits + 1 + 8 + 1;

bool is_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

std::string file_of(const std::string& id) {
  char sum[16];
  std::snprintf(sum, sizeof sum, " %08" PRIx32 "\n",
                base::crc32c({reinterpret_cast<const uint8_t*>(id.data()), id.size()}));
  return std::string(kHead) + id + sum;
}

std::string id_in(int directory, uid_t owner) {
  const auto text = base::read_file_of(owner, directory, kIdentityFile, kFileBytes + 1);
  if (!text || text->size() != kFileBytes) return {};
  const std::string id = text->substr(kHead.size(), kIdentityDigits);
  return is_identity(id) && *text == file_of(id) ? id : std::string();
}

int64_t birth_of(int directory) {
  struct statx st {};
  if (statx(directory, "", AT_EMPTY_PATH, STATX_BTIME, &st) != 0 || (st.stx_mask & STATX_BTIME) == 0) return 0;
  return st.stx_btime.tv_sec * 1'000'000'000 + st.stx_btime.tv_nsec;
}

bool is_same_place(const Identity& a, const Identity& b) {
  const bool one_birth = a.born_ns == b.born_ns || a.born_ns == 0 || b.born_ns == 0;
  return a.inode != 0 && a.inode == b.inode && a.device == b.device && one_birth;
}

}  // namespace

bool is_identity(std::string_view text) {
  return text.size() == kIdentityDigits && std::all_of(text.begin(), text.end(), is_digit);
}

Kin kin_of(const Identity& spool, const Identity& repository) {
  const bool same_place = is_same_place(spool, repository);
  if (spool.id.empty() || repository.id.empty()) return same_place ? Kin::kSame : Kin::kNone;
  if (spool.id != repository.id) return Kin::kNone;
  return same_place || spool.inode == 0 ? Kin::kSame : Kin::kCopy;
}

base::Result<std::string> draw_identity() {
  uint64_t random[2] = {};
  if (getrandom(random, sizeof random, 0) != sizeof random)
    return base::system_error("no random number", "from the system");
  char digits[kIdentityDigits + 1];
  std::snprintf(digits, sizeof digits, "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
  return std::string(digits);
}

base::Status write_identity(int directory, const std::string& id) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const base::Descriptor file(openat(directory, kIdentityFile, kFlags, 0600));
  if (!file && errno == EEXIST) return base::Done{};
  if (!file) return base::system_error("cannot make", kIdentityFile);
  const std::string text = file_of(id);
  if (fchmod(file.fd(), 0600) == 0 && base::write_all(file.fd(), text.data(), text.size())) return base::Done{};
  const base::Error error = base::system_error("cannot write", kIdentityFile);
  unlinkat(directory, kIdentityFile, 0);
  return error;
}

Identity read_identity(int directory) {
  struct stat st {};
  if (fstat(directory, &st) != 0) return {};
  return {id_in(directory, st.st_uid), st.st_dev, st.st_ino, birth_of(directory)};
}

Identity read_identity(const std::string& directory) {
  const base::Descriptor opened(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  return opened ? read_identity(opened.fd()) : Identity{};
}

std::string spool_directory_name(const std::string& id) { return "rec-" + std::to_string(getpid()) + "-" + id; }

std::string identity_in_name(std::string_view spool_directory) {
  const std::string_view name = spool_directory.substr(spool_directory.find_last_of('/') + 1);
  const size_t dash = name.find_last_of('-');
  if (!name.starts_with("rec-") || dash == std::string_view::npos) return {};
  const std::string_view id = name.substr(dash + 1);
  return is_identity(id) ? std::string(id) : std::string();
}

}  // namespace rec
