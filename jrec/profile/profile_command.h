// SPDX-License-Identifier: Apache-2.0
// How commands that show stacks are told which: --event, --samples and the like, the same words everywhere.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "jrec/profile/profile.h"

namespace jrec {

void add_file(CLI::App& command, std::string& file);
void add_profile(CLI::App& command, ProfileOptions& profile);
// All of it but --event.
void add_profile_style(CLI::App& command, ProfileOptions& profile);

}  // namespace jrec
