// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/target_room.h"

#include <fmt/core.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>

#include "recover/files.h"
#include "recover/tally.h"

namespace jrec {

using base::Error;
using base::ErrorCode;

bool can_be_written(const std::string& directory) { return access(directory.c_str(), W_OK | X_OK) == 0; }

base::Status room_for(const std::string& target, uint64_t bytes) {
  const std::string directory = rec::parent_of(target);
  if (!can_be_written(directory)) return base::system_error("cannot make", target);
  struct statvfs disk {};
  if (statvfs(directory.c_str(), &disk) != 0) return base::system_error("cannot look at", directory);
  const uint64_t free_bytes = disk.f_bavail * disk.f_frsize;
  if (free_bytes >= bytes) return base::Done{};
  return Error{ErrorCode::kSystem, 0,
               fmt::format("cannot make {}: its disk has {} bytes free, and {} are needed", target,
                           rec::grouped(free_bytes), rec::grouped(bytes)),
               ENOSPC};
}

}  // namespace jrec
