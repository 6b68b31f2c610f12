// SPDX-License-Identifier: Apache-2.0
#include "recorder/spool/spool_directory.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "base/descriptor.h"
#include "base/private_directory.h"
#include "base/result.h"
#include "recorder/spool/identity.h"
#include "recorder/spool/limits.h"

namespace rec {
namespace {

using base::Error;
using base::Result;
using base::Status;

enum class Kind { kAny, kTmpfs };

Error no_spools(const std::string& parent, const char* why) {
  return {base::ErrorCode::kUsage, 0, "no spools in " + parent + ": " + why};
}

Result<SpoolPlace> make_below(const std::string& parent, Kind kind, const std::string& id) {
  const base::Descriptor directory(open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct statfs fs {};
  if (!directory || fstatfs(directory.fd(), &fs) != 0) return base::system_error("no spools in", parent);
  if (Status safe = base::check_directory(directory.fd(), parent + "/rec"); !safe) return safe.error();
  if (kind == Kind::kTmpfs && fs.f_type != TMPFS_MAGIC) return no_spools(parent, "it is not a tmpfs");
  const uint64_t free = static_cast<uint64_t>(fs.f_bavail) * static_cast<uint64_t>(fs.f_bsize);
  if (free < kSpoolRoomBytes) return no_spools(parent, "less than 16 MiB are free");
  SpoolPlace place{parent + "/" + spool_directory_name(id), free / 2, ""};
  if (mkdir(place.directory.c_str(), 0700) != 0 || chmod(place.directory.c_str(), 0700) != 0)
    return base::system_error("cannot make the spool directory", place.directory);
  return place;
}

// Where there is none, why not in the usual place.
Result<SpoolPlace> make_in_tmpfs(const std::string& id) {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const std::string own = "/run/user/" + std::to_string(geteuid());
  auto usual = make_below("/dev/shm", Kind::kTmpfs, id);
  if (usual) return usual;
  for (const std::string& parent : std::vector<std::string>{runtime ? runtime : "", own, "/tmp"}) {
    if (parent.empty() || parent[0] != '/') continue;
    if (auto place = make_below(parent, Kind::kTmpfs, id)) return place;
  }
  return usual;
}

}  // namespace

Result<SpoolPlace> make_spool_directory(const std::string& wished, const std::string& fallback, const std::string& id) {
  std::string remark;
  if (!wished.empty()) {
    auto place = make_below(wished, Kind::kAny, id);
    if (place) return place;
    remark = place.error().what + "; ";
  }
  auto place = make_in_tmpfs(id);
  if (!place) {
    remark += place.error().what + ", ";
    place = make_below(fallback, Kind::kAny, id);
    if (place) remark += "so a disk that stalls may delay the application; ";
  }
  if (!place) return place.error();
  if (!remark.empty()) place->remark = remark + "events wait in " + place->directory;
  return place;
}

}  // namespace rec
