// SPDX-License-Identifier: Apache-2.0
// How commands that show stacks are told which: --event, --samples and the like, the same words everywhere.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/command_line.h"
#include "jrec/profile/profile.h"

namespace jrec {

void add_files(Command& command, std::vector<std::string>& files);
void add_profile(Command& command, ProfileOptions& profile);
// All of it but --event.
void add_profile_style(Command& command, ProfileOptions& profile);

}  // namespace jrec
