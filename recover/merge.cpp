// SPDX-License-Identifier: Apache-2.0
#include "recover/merge.h"

#include <optional>
#include <utility>

#include "format/reader/chunk_scanner.h"
#include "format/reader/mapped_file.h"
#include "recover/chunk_look.h"
#include "recover/dead_repository.h"
#include "recover/files.h"
#include "recover/repair_recording.h"
#include "recover/work_directory.h"

namespace rec {
namespace {

using base::Done;
using base::Error;
using base::ErrorCode;

constexpr uint64_t kMostBytes = jfr::read::ChunkScanner::kMaxChunkSize;

// What can be read of a chunk of which something is ruined, or which is not ours.
Status add_part(const std::string& path, RecoveredFile* to, Tally& tally) {
  const Result<Descriptor> file = open_chunk(path, kMostBytes);
  Result<jfr::read::MappedFile> bytes =
      file ? jfr::read::MappedFile::of(file->fd()) : Result<jfr::read::MappedFile>(file.error());
  if (bytes) return repair_part({bytes->bytes()}, path, to, tally);
  ++tally.dropped;
  tally.add_damage(path, bytes.error());
  return Done{};
}

Status add_ruined(const std::string& path, const Result<ChunkLook>& look, RecoveredFile* to, Tally& tally) {
  if (!look && look.error().code != ErrorCode::kCorrupt) {
    ++tally.dropped;
    tally.add_damage(path, look.error());
    return Done{};
  }
  if (!look) tally.add_damage(path, look.error());
  if (look)
    for (const Error& ruined : look->ruined) tally.add_damage(path, ruined);
  const size_t kept = tally.kept;
  Status added = add_part(path, to, tally);
  tally.repaired += std::exchange(tally.kept, kept) - kept;  // its events can be read; that does not make them right
  return added;
}

Status add_file(const std::string& path, bool last, RecoveredFile* to, Tally& tally) {
  const Result<ChunkLook> look = look_at_chunk(path);
  if (look && look->ruined.empty()) {
    ++tally.kept;
    tally.bytes += look->used;
    tally.samples += look->samples;
    return to != nullptr ? add_chunk(*to, *look, last) : Status(Done{});
  }
  const bool ours = look.ok() || parse_chunk_name(name_of(path)).ours;
  return ours ? add_ruined(path, look, to, tally) : add_part(path, to, tally);
}

}  // namespace

Result<bool> merge_chunks(const std::vector<std::string>& chunks, const MergeTarget& target, Tally& tally) {
  std::optional<RecoveredFile> file;
  if (!target.dry_run) {
    Result<RecoveredFile> made = RecoveredFile::create(target.path);
    if (!made) return made.error();
    file.emplace(std::move(*made));
  }
  for (const std::string& path : chunks)
    if (Status added = add_file(path, &path == &chunks.back(), file ? &*file : nullptr, tally); !added)
      return added.error();
  if (!file || tally.kept + tally.repaired == 0) return false;
  if (Status synced = file->sync(); !synced) return synced.error();
  if (target.before_its_name) target.before_its_name(file->fd());
  if (Status done = file->commit(target.replaces); !done) return done.error();
  return true;
}

Result<bool> merge_orphan(LeftoverSpools& spools, const MergeTarget& target, Tally& tally) {
  if (target.dry_run) {
    tally.spool_samples = spools.waiting_samples(spools.home().path);
    tally.from_spools = tally.spool_samples > 0;
    return false;
  }
  const Result<WorkDirectory> work = WorkDirectory::beside(target.path);
  if (!work) return work.error();
  const Result<Recovered> sealed = spools.seal(work->path(), spools.home().path);
  if (!sealed) return sealed.error();
  tally.spool_samples = sealed->samples;
  tally.lost = sealed->lost;
  const Result<bool> written = merge_chunks(sealed->chunks, target, tally);
  std::swap(tally.from_spools, tally.kept);
  return written;
}

}  // namespace rec
