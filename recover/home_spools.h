// SPDX-License-Identifier: Apache-2.0
// HomeSpools are the leftover spools that belong to one repository by identity (recorder/spool/identity.h), wherever
// they are. Their locks are held as long as it lives. Ordinary threads only.
//
//   seal(): what is in no chunk becomes chunks in the directory  ->  a recording is made of the directory
//        -> remove():  the recording is whole, the spools are of no use any more
//        -> unseal():  it is not, or was not asked for: the spools stay, so what was made of them goes
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "recorder/spool/identity.h"
#include "recover/leftover_spools.h"
#include "recover/tally.h"

namespace rec {

class HomeSpools {
 public:
  // directory: of chunks, which the caller has locked (DeadRepository).
  explicit HomeSpools(std::string directory) : directory_(std::move(directory)), identity_(read_identity(directory_)) {}

  struct SealOptions {
    std::vector<std::string> more_places;  // to look in, beside the usual ones and the directory
    std::string into;                      // where the chunks are made; empty: in the directory
    bool dry_run = false;                  // only counts what would become of it
  };
  // kUsage: somebody else has them locked.
  base::Status seal(const SealOptions& options, Tally& tally);
  void unseal() const;
  void remove();
  void remove(uint32_t pid);  // those of one process

  // Of a directory that was moved, or copied (Kin::kCopy). kTake is a person's word; but what is there for an original
  // that can be seen stays for that.
  enum class Copies : uint8_t { kTake, kLeave };
  void set_copies(Copies copies) { copies_ = copies; }
  const std::vector<std::string>& left() const { return left_; }  // such spools that seal() has left alone

 private:
  base::Status seal(LeftoverSpools spools, const SealOptions& options, Tally& tally);
  bool takes(const std::string& spools) const;

  struct Sealed {
    LeftoverSpools spools;
    std::vector<std::string> chunks;  // paths of those made of them
  };
  std::string directory_;
  Identity identity_;
  std::vector<Sealed> sealed_;
  Copies copies_ = Copies::kTake;
  std::vector<std::string> left_;
};

}  // namespace rec
