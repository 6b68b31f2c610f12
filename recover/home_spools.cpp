// SPDX-License-Identifier: Apache-2.0
#include "recover/home_spools.h"

#include <unistd.h>

#include "recover/files.h"
#include "recover/spool_places.h"

namespace rec {

Status HomeSpools::seal(const std::vector<std::string>& more_places, bool dry_run, Tally& tally) {
  std::vector<std::string> places = more_places;
  places.push_back(directory_);
  for (const std::string& path : spool_directories(spool_places(places))) {
    Result<LeftoverSpools> spools = LeftoverSpools::open(path);
    if (!spools) {  // of a process that lives, of nobody that we know, or of another version
      if (spools.error().code == base::ErrorCode::kCorrupt && says_home(path, directory_))
        tally.add_damage(path, spools.error());
      continue;
    }
    const Home home = find_home(*spools);
    if (home.state != Home::State::kFound || !same_file(home.directory, directory_)) continue;
    if (Status sealed = seal(*spools, dry_run, tally); !sealed) return sealed;
    spools_.push_back(std::move(*spools));
  }
  return base::Done{};
}

Status HomeSpools::seal(LeftoverSpools& spools, bool dry_run, Tally& tally) {
  for (const base::Error& one : spools.damage()) tally.add_damage(spools.directory(), one);
  if (dry_run) {
    tally.spool_samples += spools.waiting_samples(directory_);
    return base::Done{};
  }
  const Result<Recovered> sealed = spools.seal(directory_, directory_);
  if (!sealed) return sealed.error();
  tally.spool_samples += sealed->samples;
  tally.lost += sealed->lost;
  sealed_.insert(sealed_.end(), sealed->chunks.begin(), sealed->chunks.end());
  return base::Done{};
}

void HomeSpools::unseal() const {
  for (const std::string& chunk : sealed_) unlink(chunk.c_str());
}

void HomeSpools::remove() {
  for (LeftoverSpools& spools : spools_) spools.remove();
}

}  // namespace rec
