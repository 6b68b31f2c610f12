// SPDX-License-Identifier: Apache-2.0
#include "recorder/spool/spool_blocks.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

#include "base/file_io.h"
#include "recorder/spool/spool_layout.h"

namespace rec {
namespace {

std::array<std::byte, 64u << 10> zeros;  // never changed

bool write_zeros(int fd, uint64_t offset, uint64_t bytes) {
  for (uint64_t done = 0; done < bytes; done += zeros.size())
    if (!base::write_all_at(fd, zeros.data(), std::min<uint64_t>(zeros.size(), bytes - done), offset + done))
      return false;
  return true;
}

bool is_not_taken(int error) { return error == EPERM || error == ENOSYS || error == EOPNOTSUPP; }

}  // namespace

bool take_blocks(int fd, uint64_t offset, uint64_t bytes) {
  const int failed =
      base::restarting([&] { return fallocate(fd, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)); });
  return failed == 0 || (is_not_taken(errno) && write_zeros(fd, offset, bytes));
}

base::Error length_refused(const std::string& path) {
  const int why = errno;
  const std::string length = std::to_string(kSpoolFileBytes >> 20) + " MB long";
  base::Error error = base::system_error("cannot make the spool " + path + " " + length, why);
  if (why == EFBIG) error.what += " (ulimit -f)";
  return error;
}

base::Error blocks_refused(const std::string& path) {
  const bool is_full = errno == ENOSPC || errno == EDQUOT;
  return base::system_error(is_full ? "no room for the spool" : "cannot allocate blocks of the spool", path);
}

}  // namespace rec
