// SPDX-License-Identifier: Apache-2.0
// jrec reads and writes files. What names an object store or a server instead is refused in words, and never becomes a
// directory of that name.
#pragma once

#include <string>

#include "base/result.h"

namespace jrec {

// kUsage for s3://, gs://, az://, http://, https:// and others of that shape.
base::Status check_local(const std::string& path);

}  // namespace jrec
