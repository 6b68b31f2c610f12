// SPDX-License-Identifier: Apache-2.0
// Recovery of spools, for tests and for the fuzzer, which has no doctest.
#pragma once

#include <string>

#include "recover/leftover_spools.h"

namespace rec::test {

// Of one spool directory whose chunks are where it says.
inline base::Result<Recovered> recover_spools(const std::string& spool_directory, const std::string& to_directory) {
  auto left = LeftoverSpools::open(spool_directory);
  if (!left) return left.error();
  return left->seal(to_directory, left->home().path);
}

}  // namespace rec::test
