// SPDX-License-Identifier: Apache-2.0
// A recording on a server is copied into a scratch file, and is a file from then on.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "format/reader/problems.h"

namespace jrec {

struct RemoteCopy {
  base::Descriptor file;    // none, if it is an archive
  bool is_archive = false;  // which is better read in parts
};

// kSystem, kUsage: there is nothing. kCorrupt: the server contradicts itself before there is anything. A copy that breaks off, or
// becomes larger than --max-unpacked, is noted in problems: what came so far is the file.
base::Result<RemoteCopy> copy_remote(const std::string& path, jfr::read::Problems& problems);

// An object as it is, as a file of that name; what is there is written over. kSystem, kCorrupt: it is not there as a whole.
struct FetchedObject {
  std::string etag;  // empty: nobody says
};
base::Result<FetchedObject> fetch_object(const std::string& path, const std::string& file);

// By its name alone: https://host/x.recz, also with a query behind it.
bool names_archive(const std::string& path);

}  // namespace jrec
