// SPDX-License-Identifier: Apache-2.0
// Where spools go. A page of a tmpfs is never waited for; a page of a disk's file may be, by an application thread in a
// handler, when the disk stalls. So: the first of
//
//   the directory that is wished, whatever file system it is on
//   /dev/shm, $XDG_RUNTIME_DIR, /run/user/UID, /tmp         if that is a tmpfs
//   the fallback, which is beside the chunks
//
// that is safe to create in (base/private_directory.h: a container's volume at /dev/shm, root's and open to all, is) and has
// kSpoolRoomBytes free. In it a directory of ours is made: 0700, with a name that nobody can foresee, since the
// repository's id is in it (identity.h).
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace rec {

struct SpoolPlace {
  std::string directory;
  uint64_t budget_bytes;  // half of what is free there
  std::string remark;     // one line for the user, if this is not what was wished for; or empty
};

base::Result<SpoolPlace> make_spool_directory(const std::string& wished, const std::string& fallback,
                                              const std::string& id);

}  // namespace rec
