// SPDX-License-Identifier: Apache-2.0
// HomeSpools are the leftover spools whose chunks are in one directory, wherever the spools are. Their locks are held
// as long as it lives. Ordinary threads only.
//
//   seal(): what is in no chunk becomes chunks in the directory  ->  a recording is made of the directory
//        -> remove():  the recording is whole, the spools are of no use any more
//        -> unseal():  it is not, or was not asked for: the spools stay, so what was made of them goes
#pragma once

#include <string>
#include <vector>

#include "recover/leftover_spools.h"
#include "recover/tally.h"

namespace rec {

class HomeSpools {
 public:
  // directory: of chunks, which the caller has locked (DeadRepository).
  explicit HomeSpools(std::string directory) : directory_(std::move(directory)) {}

  // Looks in the usual places, in the directory and in more_places. dry_run: only counts what would become of it.
  base::Status seal(const std::vector<std::string>& more_places, bool dry_run, Tally& tally);
  void unseal() const;
  void remove();

 private:
  base::Status seal(LeftoverSpools& spools, bool dry_run, Tally& tally);

  std::string directory_;
  std::vector<LeftoverSpools> spools_;
  std::vector<std::string> sealed_;  // paths of chunks
};

}  // namespace rec
