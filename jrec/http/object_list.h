// SPDX-License-Identifier: Apache-2.0
// A page of what an object store lists (ListObjectsV2): XML, of which the keys matter, and where the next page begins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace jrec {

struct ObjectPage {
  std::vector<std::string> keys;
  std::string next;  // for list_query(); empty: this is the last page

  // kCorrupt: it is no listing, is cut off, has what was not asked for, or says that it goes on, but not where.
  static base::Result<ObjectPage> of(std::string_view xml, const std::string& prefix);
};

// "?continuation-token=...&list-type=2&prefix=...", its parameters sorted and escaped as signatures want them.
std::string list_query(const std::string& prefix, const std::string& after);

}  // namespace jrec
