// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_store.h"

#include <charconv>

#include "jrec/base/escape.h"
#include "jrec/base/local_path.h"
#include "jrec/fleet/fleet_bucket.h"
#include "jrec/fleet/fleet_directory.h"

namespace jrec {

base::Result<std::unique_ptr<FleetStore>> FleetStore::open(const std::string& place, bool must_be_there) {
  if (has_scheme(place, "s3")) return FleetBucket::open(place, must_be_there);
  if (const base::Status local = check_local(place); !local) return local.error();
  return FleetDirectory::open(place, must_be_there);
}

base::Status check_fleet_schema(const std::string& said) {
  int version = 0;
  std::from_chars(said.data(), said.data() + said.size(), version);
  if (version == kFleetSchema) return base::Done{};
  return base::Error{base::ErrorCode::kUsage, 0,
                     "its tables are of version " + plain(said.substr(0, said.find('\n'))) +
                         ", this jrec writes version " + std::to_string(kFleetSchema)};
}

bool stays_inside(const std::string& relative) {
  return !relative.empty() && relative[0] != '/' && relative[0] != '_' && relative.find("../") == std::string::npos &&
         relative.find('\0') == std::string::npos;
}

}  // namespace jrec
