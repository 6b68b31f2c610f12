// SPDX-License-Identifier: Apache-2.0
// Where dead processes may have left their spools, and which repository spools belong to. Nothing is locked here, and of
// spools that belong to others no more than the header is read. Ordinary threads only.
#pragma once

#include <string>
#include <vector>

#include "recorder/spool/identity.h"

namespace rec {

// The places that spools are put: /dev/shm, $XDG_RUNTIME_DIR, /run/user/UID, /tmp, and what is given (may be empty).
std::vector<std::string> spool_places(const std::vector<std::string>& more);
// Directories rec-* in there. Ours belong to our own user, and nobody else can write to them; others are not opened.
enum class Whose { kOurs, kOthers };
std::vector<std::string> spool_directories(const std::vector<std::string>& places, Whose whose = Whose::kOurs);
// The process id that such a directory's name gives; 0: none.
uint32_t pid_of(const std::string& spool_directory);

// What the spools in there say: by the first header that is whole, else by the directory's name, which has the id alone.
SpoolHome home_of(const std::string& spool_directory);
// How they stand to a repository. Where the name says that they are somebody else's, no file is opened.
Kin kin_of_spools(const std::string& spool_directory, const Identity& repository);

// The very repository (Kin::kSame), if it is where the spools say, or was renamed there by a later process
// (PATH.dead-*). Empty: it is not, or another one is there now.
std::string find_repository(const SpoolHome& home);

}  // namespace rec
