// SPDX-License-Identifier: Apache-2.0
// Identity is who a repository is, whatever it is called and from wherever it is seen. A path is no identity: containers
// that share /dev/shm call different places by one name, and one place by many.
//
//   id              32 hex digits, drawn once for a recording. In the repository, as the file .rec-id; in each spool's
//                   header; and in the name of the directory that holds the spools, rec-<pid>-<id>
//   device, inode   of the repository's directory, with the time of its birth, since inodes are used again (statx(2);
//                   0: the file system does not keep it); in each spool's header
//
//   .rec-id:        rec repository <id> <8 hex digits: CRC-32C of the id>\n
//
// The ids decide where both are known: a repository that was moved keeps its spools. Where the file is missing or
// damaged, device and inode do. A copy of a repository has its id and another inode. Ordinary threads only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rec {

struct Identity {
  std::string id;       // empty: not known
  uint64_t device = 0;  // with inode 0: not known
  uint64_t inode = 0;
  int64_t born_ns = 0;  // since 1970; 0: not known
  void take_place(const Identity& from) { device = from.device, inode = from.inode, born_ns = from.born_ns; }
  friend bool operator==(const Identity&, const Identity&) = default;
};

// What a spool says of its repository.
struct SpoolHome {
  std::string path;  // where it was last; a hint and no more
  Identity identity;
  friend bool operator==(const SpoolHome&, const SpoolHome&) = default;
};

enum class Kin : uint8_t { kNone, kSame, kCopy };
Kin kin_of(const Identity& spool, const Identity& repository);

inline constexpr char kIdentityFile[] = ".rec-id";
inline constexpr size_t kIdentityDigits = 32;

base::Result<std::string> draw_identity();  // nobody can foresee it
bool is_identity(std::string_view text);
// Into the directory; no effect if it is there. Without room nothing is left behind.
base::Status write_identity(int directory, const std::string& id);
Identity read_identity(int directory);
Identity read_identity(const std::string& directory);  // no symbolic link; nothing known if there is none

// "rec-4711-<id>" and back; empty: no such name.
std::string spool_directory_name(const std::string& id);
std::string identity_in_name(std::string_view spool_directory);

}  // namespace rec
