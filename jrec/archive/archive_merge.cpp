// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/archive_merge.h"

#include <fmt/core.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>

#include "format/archive/archive_writer.h"
#include "format/archive/member_copier.h"
#include "format/archive/mending.h"
#include "jrec/archive/archive_file.h"
#include "jrec/archive/archive_restore.h"
#include "jrec/archive/stored_change.h"
#include "jrec/base/escape.h"
#include "jrec/base/inputs.h"
#include "jrec/base/local_path.h"
#include "jrec/base/output_file.h"
#include "jrec/base/quiet.h"
#include "jrec/input/open_archive.h"
#include "jrec/input/recording.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Status;
using jfr::archive::ArchiveWriter;
using jfr::archive::Catalogue;
using jfr::archive::Member;
using jfr::archive::MemberCopier;
using jfr::archive::Part;

class Merger {
 public:
  Merger(ArchiveWriter& to, Output& out) : to_(to), out_(out) {}

  Status add(ArchiveFile& archive) {
    MemberCopier copier(archive.bytes(), to_);
    for (const Member& member : archive.catalogue().members) {
      if (is_there(member)) continue;
      Member renamed = member;
      renamed.name = free_name(member.name);
      if (Status copied = copier.copy(renamed); !copied) return copied;
      say(member, renamed);
    }
    return base::Done{};
  }

  // The same, but damage costs no more than what it hits; and what was never committed comes along.
  Status add_what_is_left(ArchiveFile& archive) {
    MemberCopier copier(archive.bytes(), to_);
    for (const Member& member : archive.catalogue().members)
      if (Status added = add_what_is_left(archive, member, copier); !added) return added;
    if (archive.catalogue().tail != Catalogue::Tail::kUnknown) return base::Done{};
    for (const Member& member : members_behind(archive.bytes(), archive.catalogue()))
      if (!is_there(member))
        if (Status added = add_what_is_left(archive, member, copier); !added) return added;
    return base::Done{};
  }

 private:
  Status add_what_is_left(ArchiveFile& archive, const Member& member, MemberCopier& copier) {
    bool whole = true;
    Member left = left_of(archive, member, whole);
    left.name = free_name(whole ? member.name : member.name + ".damaged");
    if (left.parts.empty() && !whole) return base::Done{};  // nothing is
    if (Status copied = copier.copy(left); !copied) return copied;
    say(member, left);
    return base::Done{};
  }

  bool is_there(const Member& member) const {
    return std::ranges::any_of(to_.catalogue().members, [&](const Member& there) {
      return there.hash == member.hash && there.size == member.size && there.labels == member.labels &&
             there.name == member.name;
    });
  }

  std::string free_name(const std::string& name) const {
    std::string free = name;
    for (int n = 2; to_.catalogue().find(free) != nullptr; ++n) free = name + "~" + std::to_string(n);
    return free;
  }

  // Its parts that can be read, and what their bytes are.
  static Member left_of(ArchiveFile& archive, const Member& member, bool& whole) {
    Member left = member;
    left.parts.clear();
    left.size = 0;
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
    XXH3_128bits_reset(state.get());
    for (const Part& part : member.parts) {
      const auto bytes = archive.parts().read(part);
      if (!bytes) {
        archive.problems().add(
            Error{bytes.error().code, bytes.error().offset, member.name + ": " + bytes.error().what});
        whole = false;
        continue;
      }
      XXH3_128bits_update(state.get(), bytes->data(), bytes->size());
      left.parts.push_back(part);
      left.size += part.size;
    }
    const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
    left.hash = {hash.low64, hash.high64};
    return left;
  }

  void say(const Member& from, const Member& to) {
    if (quiet()) return;
    out_.add(plain(from.name) + (from.name == to.name ? "" : " -> " + plain(to.name)) + "\n");
  }

  ArchiveWriter& to_;
  Output& out_;
};

ExitCode merge_failed(const std::string& archive, const Error& error) {
  complain(archive, error);
  return error.code == ErrorCode::kCorrupt ? kDamaged : error.code == ErrorCode::kUsage ? kUsageError : kOutputFailed;
}

Error not_written() {
  return Error{ErrorCode::kSystem, 0, std::string("cannot write: ") + std::strerror(errno), errno};
}

using Add = Status (Merger::*)(ArchiveFile&);

ExitCode make_archive(const ArchiveMergeOptions& options, Output& out, Add add) {
  std::deque<ArchiveFile> archives;
  for (const std::string& path : options.archives)
    if (!archives.emplace_back(path).open()) return archives.back().finish();
  if (const Status local = check_local(options.out); !local) return merge_failed(options.out, local.error());
  if (options.out == "-")
    return merge_failed(options.out, Error{ErrorCode::kUsage, 0, "an archive is written to a file, and not to a pipe"});
  for (const std::string& path : options.archives)
    if (std::error_code none; std::filesystem::equivalent(path, options.out, none))
      return merge_failed(options.out, Error{ErrorCode::kUsage, 0, kInputIsKept});
  std::optional<base::Result<ArchiveWriter>> replaced;  // nobody adds to it meanwhile
  if (holds_archive(options.out)) replaced.emplace(ArchiveWriter::open(options.out));
  if (replaced && !*replaced && replaced->error().errno_value == EWOULDBLOCK)
    return merge_failed(options.out, replaced->error());
  OutputFile file(options.out);
  if (file.fd() < 0) return merge_failed(options.out, not_written());
  auto writer = ArchiveWriter::make(file.fd());
  if (!writer) return merge_failed(options.out, writer.error());
  Merger merger(*writer, out);
  for (size_t i = 0; i < archives.size(); ++i)
    if (const Status added = (merger.*add)(archives[i]); !added)
      return merge_failed(options.archives[i], added.error());
  if (const Status committed = writer->commit(); !committed) return merge_failed(options.out, committed.error());
  if (!file.commit()) return merge_failed(options.out, not_written());
  ExitCode worst = kDone;
  for (ArchiveFile& archive : archives) worst = std::max(worst, archive.finish());
  return worst;
}

}  // namespace

ExitCode run_archive_merge(const ArchiveMergeOptions& options, Output& out) {
  return make_archive(options, out, &Merger::add);
}

namespace {

ExitCode verified(const std::string& path, Output& out) {
  ArchiveRestoreOptions verify;
  verify.archive = path;
  return run_archive_verify(verify, out);
}

struct MendedArchive {
  jfr::archive::Mended mended;
  bool has_rest = false;  // bytes behind the last commit, which stay
};

std::string mended_line(const ArchiveMergeOptions& options, const MendedArchive& archive) {
  if (quiet()) return "";
  const uint64_t blocks = archive.mended.blocks;
  const char* rest =
      archive.has_rest ? "; what stands behind the last commit stays, and -o takes the members there" : "";
  return fmt::format("{}: {} block{} mended{}\n", plain(options.archives.front()), blocks, blocks == 1 ? "" : "s",
                     rest);
}

// What parity mends of the archive at that path of this machine. The rest may be of an archive that was cut.
base::Result<MendedArchive> mend(const std::string& path) {
  auto lock = ArchiveWriter::open(path);  // nobody adds meanwhile; and it makes the last parity
  if (!lock) return lock.error();
  const bool has_rest = lock->catalogue().tail == Catalogue::Tail::kUnknown;
  if (has_rest) lock->leave_rest();
  auto mended = jfr::archive::mend_archive(path);
  if (!mended) return mended.error();
  mended->blocks += lock->mended_blocks();
  return MendedArchive{*mended, has_rest};
}

// What it cannot mend is told.
ExitCode mend_in_place(const ArchiveMergeOptions& options, Output& out) {
  const std::string& path = options.archives.front();
  if (const Status local = check_local(path); !local) return merge_failed(path, local.error());
  if (::access(path.c_str(), W_OK) != 0)
    return merge_failed(path, Error{ErrorCode::kUsage, 0, std::strerror(errno), errno});
  const auto mended = mend(path);
  if (!mended) return merge_failed(path, mended.error());
  out.add(mended_line(options, *mended));
  return verified(path, out);
}

ExitCode mend_in_store(const ArchiveMergeOptions& options, Output& out) {
  StoredChange change;
  change.archive = options.archives.front();
  change.refused = [&](const Error& why) { return merge_failed(change.archive, why); };
  change.make = [&](StoredArchive& copy) -> ArchiveChange {
    if (!copy.is_there()) return {change.refused(Error{ErrorCode::kUsage, 0, std::strerror(ENOENT), ENOENT})};
    const auto mended = mend(copy.path());
    if (!mended) return {change.refused(mended.error())};
    return {kDone, mended->mended.blocks + mended->mended.parities != 0, mended_line(options, *mended)};
  };
  const ExitCode put = change_in_store(change, out);
  return put == kDone ? verified(change.archive, out) : put;
}

}  // namespace

ExitCode run_archive_repair(const ArchiveMergeOptions& options, Output& out) {
  if (!options.out.empty()) return make_archive(options, out, &Merger::add_what_is_left);
  return has_scheme(options.archives.front(), "s3") ? mend_in_store(options, out) : mend_in_place(options, out);
}

}  // namespace jrec
