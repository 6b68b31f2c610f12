// SPDX-License-Identifier: Apache-2.0
// What a directory that somebody names is to recovery.
#pragma once

#include <string>
#include <vector>

namespace rec {

bool is_spool(const std::string& path);  // by its name
bool is_spool_directory(const std::string& directory);

// Chunks in the directory itself. One that has none may still have spools that say it is theirs.
enum class Holds { kNothing, kForeign, kOurs };
Holds holds_chunks(const std::string& directory);

std::vector<std::string> repositories_in(const std::string& directory);  // directories in it that hold chunks
std::vector<std::string> recordings_in(const std::string& directory);    // NAME.jfr, by name

}  // namespace rec
