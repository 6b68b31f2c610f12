// SPDX-License-Identifier: Apache-2.0
#include <linux/magic.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cstdio>

#include "recorder/spool.h"
#include "recorder/system_error.h"

namespace rec {
namespace {

bool is_tmpfs_with_room(const char* path) {
  struct statfs fs {};
  return statfs(path, &fs) == 0 && fs.f_type == TMPFS_MAGIC &&
         static_cast<uint64_t>(fs.f_bavail) * static_cast<uint64_t>(fs.f_bsize) >= kSpoolRoomBytes;
}

std::string unpredictable_name() {
  uint64_t random[2] = {};
  if (getrandom(random, sizeof random, 0) != sizeof random) return {};
  char name[64];
  std::snprintf(name, sizeof name, "rec-%d-%016lx%016lx", static_cast<int>(getpid()), random[0], random[1]);
  return name;
}

}  // namespace

Result<std::string> make_spool_directory(const std::string& wished, const std::string& fallback) {
  const std::string parent = !wished.empty() ? wished : is_tmpfs_with_room("/dev/shm") ? "/dev/shm" : fallback;
  const std::string name = unpredictable_name();
  if (name.empty()) return system_error("no random name for a spool in", parent);
  std::string path = parent + "/" + name;
  if (mkdir(path.c_str(), 0700) != 0) return system_error("cannot make the spool directory", path);
  return path;
}

}  // namespace rec
