// SPDX-License-Identifier: Apache-2.0
#include "recover/merge.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <utility>

#include "recover/chunk_look.h"
#include "recover/files.h"

namespace rec {
namespace {

using base::Done;
using base::Error;
using base::ErrorCode;

Status add_file(const std::string& path, bool last, RepairFile repair, RecoveredFile* to, Tally& tally) {
  const Result<ChunkLook> look = look_at_chunk(path);
  if (!look) return repair(path, to, tally);
  ++tally.kept;
  tally.bytes += look->used;
  tally.samples += look->samples;
  return to != nullptr ? add_chunk(*to, *look, last) : Status(Done{});
}

}  // namespace

Result<bool> merge_chunks(const std::vector<std::string>& chunks, const MergeTarget& target, RepairFile repair,
                          Tally& tally) {
  std::optional<RecoveredFile> file;
  if (!target.dry_run) {
    Result<RecoveredFile> made = RecoveredFile::create(target.path);
    if (!made) return made.error();
    file.emplace(std::move(*made));
  }
  for (const std::string& path : chunks)
    if (Status added = add_file(path, &path == &chunks.back(), repair, file ? &*file : nullptr, tally); !added)
      return added.error();
  if (!file || tally.kept + tally.repaired == 0) return false;
  if (Status done = file->commit(target.replaces); !done) return done.error();
  return true;
}

Result<bool> merge_orphan(LeftoverSpools& spools, const MergeTarget& target, RepairFile repair, Tally& tally) {
  if (target.dry_run) {
    tally.spool_samples = spools.waiting_samples(spools.home().path);
    tally.from_spools = tally.spool_samples > 0;
    return false;
  }
  std::string work = parent_of(target.path) + "/.recovering-XXXXXX";
  if (mkdtemp(work.data()) == nullptr) return Error{ErrorCode::kSystem, 0, "no directory can be made beside it", errno};
  const Result<Recovered> sealed = spools.seal(work, spools.home().path);
  Result<bool> written = sealed ? Result<bool>(false) : Result<bool>(sealed.error());
  if (sealed) {
    tally.spool_samples = sealed->samples;
    tally.lost = sealed->lost;
    written = merge_chunks(sealed->chunks, target, repair, tally);
    for (const std::string& chunk : sealed->chunks) unlink(chunk.c_str());
    std::swap(tally.from_spools, tally.kept);
  }
  rmdir(work.c_str());
  return written;
}

}  // namespace rec
