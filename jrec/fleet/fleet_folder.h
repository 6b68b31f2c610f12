// SPDX-License-Identifier: Apache-2.0
// Directories and files of a data set on this machine: for others to read, as the umask has it.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace jrec {

base::Status make_folder(const std::string& path);
void sync_folder(const std::string& path);           // what is in it is on the disk
base::Descriptor open_new(const std::string& path);  // empty, for writing; none: errno says why

}  // namespace jrec
