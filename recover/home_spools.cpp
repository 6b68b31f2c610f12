// SPDX-License-Identifier: Apache-2.0
#include "recover/home_spools.h"

#include <unistd.h>

#include <algorithm>

#include "recover/files.h"
#include "recover/spool_places.h"

namespace rec {

using base::ErrorCode;

// Whether those of a copy are taken.
bool HomeSpools::takes(const std::string& spools) const {
  if (copies_ == Copies::kLeave) return false;
  const std::string original = find_repository(home_of(spools));
  return original.empty() || same_file(original, directory_);
}

Status HomeSpools::seal(const SealOptions& options, Tally& tally) {
  std::vector<std::string> places = options.more_places;
  places.push_back(directory_);
  for (const std::string& path : spool_directories(spool_places(places))) {
    const Kin kin = kin_of_spools(path, identity_);
    if (kin == Kin::kNone) continue;
    if (kin == Kin::kCopy && !takes(path)) {
      left_.push_back(path);
      continue;
    }
    if (names_in(path).empty()) {  // of a recovery that was killed before its last step
      if (!options.dry_run) rmdir(path.c_str());
      continue;
    }
    Result<LeftoverSpools> spools = LeftoverSpools::open(path);
    if (!spools && spools.error().code == ErrorCode::kUsage) return spools.error();
    if (!spools && spools.error().errno_value == ENOENT) continue;  // somebody else has recovered it just now
    tally.spools.push_back(path);
    if (!spools)
      tally.add_damage(path, spools.error());
    else if (Status sealed = seal(std::move(*spools), options, tally); !sealed)
      return sealed;
  }
  return base::Done{};
}

Status HomeSpools::seal(LeftoverSpools spools, const SealOptions& options, Tally& tally) {
  for (const LeftoverSpools::Damage& one : spools.damage()) tally.add_damage(one.file, one.error);
  Sealed& sealed = sealed_.emplace_back(Sealed{std::move(spools), {}});
  if (options.dry_run) {
    tally.spool_samples += sealed.spools.waiting_samples(directory_);
    tally.spool_bytes += sealed.spools.likely_bytes(directory_);
    return base::Done{};
  }
  Result<Recovered> recovered = sealed.spools.seal(options.into.empty() ? directory_ : options.into, directory_);
  if (!recovered) return recovered.error();
  tally.spool_samples += recovered->samples;
  tally.lost += recovered->lost;
  sealed.chunks = std::move(recovered->chunks);
  return base::Done{};
}

void HomeSpools::unseal() const {
  for (const Sealed& one : sealed_)
    for (const std::string& chunk : one.chunks) unlink(chunk.c_str());
}

void HomeSpools::remove() {
  for (Sealed& one : sealed_) one.spools.remove();
  sealed_.clear();
}

void HomeSpools::remove(uint32_t pid) {
  std::erase_if(sealed_, [pid](Sealed& one) { return one.spools.pid() == pid && (one.spools.remove(), true); });
}

}  // namespace rec
