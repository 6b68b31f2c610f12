// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/archive_prune.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <optional>
#include <set>

#include "base/clock.h"
#include "base/units.h"
#include "format/archive/archive_writer.h"
#include "format/archive/member_copier.h"
#include "format/archive/piece_walk.h"
#include "jrec/archive/archive_file.h"
#include "jrec/archive/member_span.h"
#include "jrec/archive/stored_change.h"
#include "jrec/base/escape.h"
#include "jrec/base/local_path.h"
#include "jrec/base/output_file.h"
#include "jrec/base/quiet.h"
#include "jrec/input/recording.h"
#include "jrec/input/scratch_file.h"
#include "jrec/select/time_range.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using jfr::archive::ArchiveWriter;
using jfr::archive::Member;
using jfr::archive::MemberCopier;

struct Limits {
  std::optional<double> age_ns;
  std::optional<uint64_t> bytes;
};

ExitCode prune_failed(const std::string& archive, const Error& error) {
  complain(archive, error);
  return error.code == ErrorCode::kUsage ? kUsageError : error.code == ErrorCode::kCorrupt ? kDamaged : kOutputFailed;
}

base::Result<Limits> limits_of(const ArchivePruneOptions& options) {
  Limits limits;
  if (!options.max_age.empty()) {
    limits.age_ns = parse_span(options.max_age, 0);
    if (!limits.age_ns || *limits.age_ns <= 0)
      return Error{ErrorCode::kUsage, 0, "--max-age is a time such as 30d: " + options.max_age};
  }
  if (!options.max_size.empty()) {
    limits.bytes = base::parse_byte_size(options.max_size);
    if (!limits.bytes) return Error{ErrorCode::kUsage, 0, "--max-size is a size such as 10g: " + options.max_size};
  }
  if (!limits.age_ns && !limits.bytes)
    return Error{ErrorCode::kUsage, 0, "--max-age or --max-size says what is too much"};
  return limits;
}

int64_t age_mark(const Member& member, const jfr::archive::ArchiveBytes& archive) {
  const MemberSpan span = span_of(member, archive);
  return span.chunks == 0 ? member.added_ns : span.end_ns;
}

// Bytes of its own pieces, and of its metadata as far as no member before had it. Its bases are other members' own.
uint64_t bytes_of(const Member& member, const jfr::archive::ArchiveBytes& archive, std::set<uint64_t>& counted) {
  uint64_t bytes = 0;
  const auto count = [&](uint64_t at) {
    if (at == 0 || !counted.insert(at).second) return;
    if (const auto piece = archive.piece(at)) bytes += piece->end() - at;
  };
  for (const auto& part : member.parts) {
    count(part.piece);
    for (const uint64_t metadata : part.metadata) count(metadata);
  }
  return bytes;
}

struct Aged {
  const Member* member;
  int64_t end_ns;
};

// The newest first.
std::vector<Aged> by_age(ArchiveFile& archive, const std::vector<std::string>& labels) {
  std::vector<Aged> members;
  for (const Member& member : archive.catalogue().members)
    if (std::ranges::all_of(labels,
                            [&](const std::string& label) { return std::ranges::count(member.labels, label) != 0; }))
      members.push_back({&member, age_mark(member, archive.bytes())});
  std::ranges::stable_sort(members, std::greater(), &Aged::end_ns);
  return members;
}

// The members that go: those that are too old; and of what is left, from the newest on, those that no longer fit.
std::set<const Member*> leaving(ArchiveFile& archive, const ArchivePruneOptions& options, const Limits& limits) {
  std::set<const Member*> gone;
  std::set<uint64_t> counted;
  uint64_t bytes = 0;
  bool full = false;
  const auto now = static_cast<double>(base::now_unix_ns());
  for (const auto& [member, end_ns] : by_age(archive, options.labels)) {
    bytes += bytes_of(*member, archive.bytes(), counted);
    full = full || (limits.bytes && bytes > *limits.bytes);
    if (full || (limits.age_ns && now - static_cast<double>(end_ns) > *limits.age_ns)) gone.insert(member);
  }
  return gone;
}

base::Status copy_others(ArchiveFile& archive, const std::set<const Member*>& gone, int fd) {
  auto to = ArchiveWriter::make(fd);
  if (!to) return to.error();
  MemberCopier copier(archive.bytes(), *to);
  for (const Member& member : archive.catalogue().members)
    if (!gone.contains(&member))
      if (base::Status copied = copier.copy(member); !copied) return copied;
  return to->commit();
}

std::string names_of(ArchiveFile& archive, const std::set<const Member*>& gone) {
  std::string names;
  for (const Member& member : archive.catalogue().members)
    if (gone.contains(&member)) names += plain(member.name) + "\n";
  return names;
}

Error cannot_write() { return Error{ErrorCode::kSystem, 0, std::string("cannot write: ") + std::strerror(errno)}; }

ExitCode prune_file(const ArchivePruneOptions& options, const Limits& limits, Output& out) {
  const std::string& path = options.archive;
  if (const base::Status local = check_local(path); !local) return prune_failed(path, local.error());
  if (::access(path.c_str(), F_OK) != 0) return prune_failed(path, Error{ErrorCode::kUsage, 0, std::strerror(errno)});
  auto lock = ArchiveWriter::open(path);  // nobody adds to what is to be replaced
  if (!lock) return prune_failed(path, lock.error());
  ArchiveFile archive(path);
  if (!archive.open()) return archive.finish();
  const std::set<const Member*> gone = leaving(archive, options, limits);
  const std::string names = quiet() ? "" : names_of(archive, gone);
  if (gone.empty() || options.dry_run) return out.add(names), archive.finish();
  OutputFile file(path);
  if (file.fd() < 0) return prune_failed(path, cannot_write());
  if (const base::Status copied = copy_others(archive, gone, file.fd()); !copied)
    return prune_failed(path, copied.error());
  if (!file.commit()) return prune_failed(path, cannot_write());
  out.add(names);
  return archive.finish();
}

ArchiveChange prune_copy(const ArchivePruneOptions& options, const Limits& limits, StoredArchive& copy) {
  const auto failed = [&](const Error& why) { return ArchiveChange{prune_failed(options.archive, why)}; };
  if (!copy.is_there()) return failed(Error{ErrorCode::kUsage, 0, std::strerror(ENOENT)});
  ArchiveFile archive(copy.path(), options.archive);
  if (!archive.open()) return {archive.finish()};
  const std::set<const Member*> gone = leaving(archive, options, limits);
  ArchiveChange change{kDone, !gone.empty() && !options.dry_run, quiet() ? "" : names_of(archive, gone)};
  if (!change.changed) return change.code = archive.finish(), change;
  auto file = make_scratch_file();
  if (!file) return failed(file.error());
  if (const base::Status copied = copy_others(archive, gone, file->fd()); !copied) return failed(copied.error());
  change.code = archive.finish();
  copy.replace(std::move(*file));
  return change;
}

}  // namespace

ExitCode run_archive_prune(const ArchivePruneOptions& options, Output& out) {
  const auto limits = limits_of(options);
  if (!limits) return prune_failed(options.archive, limits.error());
  if (!has_scheme(options.archive, "s3")) return prune_file(options, *limits, out);
  StoredChange change;
  change.archive = options.archive;
  change.puts = !options.dry_run;
  change.make = [&](StoredArchive& copy) { return prune_copy(options, *limits, copy); };
  change.refused = [&](const Error& why) { return prune_failed(options.archive, why); };
  return change_in_store(change, out);
}

}  // namespace jrec
