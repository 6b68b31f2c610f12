// SPDX-License-Identifier: Apache-2.0
// Recovery of one spool directory whose chunks are where it says.
#pragma once

#include <string>

#include "recover/leftover_spools.h"

namespace rec::test {

inline base::Result<Recovered> recover_spools(const std::string& spool_directory, const std::string& to_directory) {
  auto left = LeftoverSpools::open(spool_directory);
  if (!left) return left.error();
  return left->seal(to_directory, left->repository());
}

}  // namespace rec::test
