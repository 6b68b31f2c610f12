// SPDX-License-Identifier: Apache-2.0
// A scratch file has no name: it is gone with its descriptor, whatever happens to the process.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace jrec {

// Opened for reading and writing in $TMPDIR, or in /tmp; in memory when neither can be written to. Readable by nobody
// else.
base::Result<base::Descriptor> make_scratch_file();

// An empty directory there, for this user alone; whoever made it removes it.
base::Result<std::string> make_scratch_folder();

// All of the bytes at the descriptor's position. kSystem says why not.
base::Status write_all(int fd, std::span<const uint8_t> bytes);

}  // namespace jrec
