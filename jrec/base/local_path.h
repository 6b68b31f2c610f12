// SPDX-License-Identifier: Apache-2.0
// What names a server or an object store, and no file. It is read where docs/remote.md says so; elsewhere it is refused in words, and
// never becomes a directory of that name.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace jrec {

// Whether it begins with SCHEME://, in small letters or capitals.
bool has_scheme(const std::string& path, std::string_view scheme);
// http://, https:// and s3://: what jrec can read.
bool is_remote(const std::string& path);
// What a server is asked behind the path, with its "?" or "#": of http:// and https:// only, since a key of s3:// may have both in it.
std::string query_of(const std::string& path);
// The last part of a path or an address, without what a server is asked there: x.jfr of https://host/x.jfr?token=1.
std::string last_name(const std::string& path);

// kUsage for s3://, gs://, az://, http://, https:// and others of that shape.
base::Status check_local(const std::string& path);

}  // namespace jrec
