// SPDX-License-Identifier: Apache-2.0
// What recovery asks of files and directories. Ordinary threads only.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace rec {

using base::Descriptor;
using base::Result;
using base::Status;

// Regular files only, no symbolic links; never blocks.
Descriptor open_to_read(const std::string& path);

Descriptor open_directory(const std::string& path);  // no symbolic links

inline constexpr size_t kMostNames = 16384;  // entries of a directory that are looked at

std::vector<std::string> names_in(const std::string& directory);  // at most kMostNames, sorted
// Directory and name: "a/b/c" -> "a/b", "c". "c" -> ".", "c".
std::string parent_of(const std::string& path);
std::string name_of(const std::string& path);
bool same_file(const std::string& a, const std::string& b);
bool is_directory(const std::string& path);  // a link to one does not count
// A directory of our user that nobody else can write to.
bool ours_alone(const std::string& directory);

}  // namespace rec
