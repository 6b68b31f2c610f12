// SPDX-License-Identifier: Apache-2.0
// Where dead processes may have left their spools, and which directory of chunks a spool belongs to. Ordinary threads
// only.
#pragma once

#include <string>
#include <vector>

#include "recover/leftover_spools.h"

namespace rec {

// The places that spools are put: /dev/shm, $XDG_RUNTIME_DIR, /run/user/UID, /tmp, and what is given (may be empty).
std::vector<std::string> spool_places(const std::vector<std::string>& more);
// Directories rec-* in there that belong to our own user and nobody else can write to.
std::vector<std::string> spool_directories(const std::vector<std::string>& places);
// The process id that such a directory's name gives; 0: none.
uint32_t pid_of(const std::string& spool_directory);

// The directory that has the chunks of these spools: where they say, or what a later process renamed it to
// (REPOSITORY.dead-*). A process id may come again, so the name of the open chunk decides where it is known.
struct Home {
  enum class State { kFound, kGone, kUnseen } state;  // kUnseen: the place it would be in does not exist here
  std::string directory;
};
Home find_home(const LeftoverSpools& spools);

// Of spools that cannot be opened, because another version of rec wrote them: whether their chunks are in `directory`, or were before
// that got ".dead-..." behind its name. The header of each version has the path as a text, and nothing else of it is believed.
bool says_home(const std::string& spool_directory, const std::string& directory);

}  // namespace rec
